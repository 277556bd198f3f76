import { openapiDocument } from '../src/service/contract/openapi.ts';

/** Every file under schemas/, made from the zod schemas; a test compares it with what is committed. */
export function generatedSchemas(): Record<string, unknown> {
  return { 'service.openapi.json': openapiDocument() };
}
