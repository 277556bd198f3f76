import * as z from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { failureEnvelope } from './fields.ts';
import { defaultPrefix, sandboxPrefix } from './prefixes.ts';
import { webhookDelivery } from './webhooks.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the service, made from the contract and from nothing else. */
export function openapiDocument(): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
    const path = (endpoint.sandboxOnly ? sandboxPrefix : defaultPrefix) + endpoint.path;
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = operation(name, endpoint, components);
  }
  const delivery = schemaOf(webhookDelivery, 'output', components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payment collection and payout service',
      version: '1.0.0',
      description:
        'The service payrun pays through, as its wire contract has it. Parts marked x-assumption rest on an assumption listed in docs/service.md.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:8484', description: 'The embedded service' }],
    tags: [...new Set(Object.values(endpoints).map((endpoint) => endpoint.tag))].map((name) => ({
      name,
      description: `${name} of the service`,
    })),
    security: [{ bearer: [] }],
    paths,
    webhooks: {
      transactionEvent: {
        post: {
          operationId: 'receiveTransactionEvent',
          summary: 'Delivered to the URL of the profile',
          tags: ['Webhooks'],
          security: [{ webhookSecret: [] }],
          requestBody: { required: true, content: { 'application/json': { schema: delivery } } },
          responses: { '200': { description: 'Taken' }, '4XX': { description: 'Delivered again later' } },
        },
      },
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
        webhookSecret: { type: 'apiKey', in: 'header', name: 'X-Webhook-Signature' },
      },
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => a.localeCompare(b))),
    },
  };
}

function operation(name: string, endpoint: Endpoint, components: Json): Json {
  const parameters = [
    ...parametersOf(endpoint.params, 'path', components),
    ...parametersOf(endpoint.query, 'query', components),
  ];
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    ...(endpoint.credential === 'api-key' ? { security: [{ apiKey: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body
      ? {
          requestBody: { required: true, content: jsonContent(schemaOf(endpoint.body, 'input', components)) },
        }
      : {}),
    responses: {
      '200': { description: 'Done', content: jsonContent(schemaOf(endpoint.reply, 'output', components)) },
      ...(endpoint.failureBody === 'empty'
        ? { '400': { description: 'Refused; the body is empty', content: jsonContent({ type: 'object' }) } }
        : {}),
      '401': failureResponse('The token is invalid or expired', components),
      '4XX': failureResponse('Refused', components),
      '5XX': failureResponse('Not known to have been done, nor not to have been', components),
    },
  };
}

function failureResponse(description: string, components: Json): Json {
  return { description, content: jsonContent(schemaOf(failureEnvelope, 'output', components)) };
}

function jsonContent(schema: Json): Json {
  return { 'application/json': { schema } };
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query', components: Json): Json[] {
  if (!schema) return [];
  const {
    properties = {},
    required = [],
    ...rest
  } = schemaOf(schema, 'input', components) as {
    properties?: Record<string, Json>;
    required?: string[];
  } & Json;
  const assumption = rest['x-assumption'] === undefined ? {} : { 'x-assumption': rest['x-assumption'] };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...assumption,
    schema: property,
  }));
}

/** Named schemas go to the components, once; everything else stands in place. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, { io, reused: 'inline', unrepresentable: 'any' }) as Json & { $defs?: Json };
  for (const [name, definition] of Object.entries($defs)) components[name] = withComponentLinks(definition);
  const id = rest['id'];
  if (typeof id !== 'string') return withComponentLinks(rest) as Json;
  components[id] = withComponentLinks(rest);
  return { $ref: `#/components/schemas/${id}` };
}

function withComponentLinks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentLinks);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => key !== 'id' || typeof each !== 'string')
      .map(([key, each]) =>
        key === '$ref' && typeof each === 'string'
          ? [key, each.replace('#/$defs/', '#/components/schemas/')]
          : [key, withComponentLinks(each)],
      ),
  );
}
