import * as z from 'zod';
import { configSchema } from '../src/config.ts';
import { planSchema } from '../src/report/plan-document.ts';
import { resultRowSchema } from '../src/report/result-row-document.ts';
import { rowSchema } from '../src/report/row-document.ts';
import { approvalSchema } from '../src/report/schemas/approval-schema.ts';
import { problemSchema } from '../src/report/schemas/problem-schema.ts';
import { runDocumentSchema } from '../src/report/schemas/run-document-schema.ts';
import { serviceDocumentSchema } from '../src/report/schemas/service-document-schema.ts';
import { validationSchema } from '../src/report/schemas/validation-schema.ts';
import { openapiDocument } from '../src/service/contract/openapi.ts';

/** Every file under schemas/, made from the zod schemas; a test compares it with what is committed. */
export function generatedSchemas(): Record<string, unknown> {
  return {
    'approval.schema.json': jsonSchema(approvalSchema),
    'config.schema.json': jsonSchema(configSchema),
    'plan.schema.json': jsonSchema(planSchema),
    'problem.schema.json': jsonSchema(problemSchema),
    'result-row.schema.json': jsonSchema(resultRowSchema),
    'row.schema.json': jsonSchema(rowSchema),
    'run.schema.json': jsonSchema(runDocumentSchema),
    'service.schema.json': jsonSchema(serviceDocumentSchema),
    'service.openapi.json': openapiDocument(),
    'validation.schema.json': jsonSchema(validationSchema),
  };
}

/** A schema with an id of its own becomes a reference to a definition; at the root that only hides it. */
function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema, $ref, $defs = {}, ...rest } = z.toJSONSchema(schema);
  const name = $ref?.replace('#/$defs/', '') ?? '';
  const { [name]: root, ...others } = $defs;
  const definitions = Object.keys(others).length > 0 ? { $defs: others } : {};
  return { $schema, ...rest, ...root, ...definitions };
}
