import type { ServiceDocument } from './schemas/service-document-schema.ts';

/** What a call of the service by hand came to, for machines. */
export function serviceDocument(called: Omit<ServiceDocument, 'kind'>): ServiceDocument {
  return { kind: 'service', ...called };
}
