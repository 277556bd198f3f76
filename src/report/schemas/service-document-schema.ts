import * as z from 'zod';

/** What every command below `payrun service` prints with --json. */
export const serviceDocumentSchema = z
  .strictObject({
    kind: z.literal('service'),
    call: z.string().meta({ description: 'The call of docs/service.md, such as listExternalAccounts' }),
    mode: z.enum(['SANDBOX', 'TEST', 'LIVE']),
    environment: z.string().meta({ description: 'Address and prefix of the service' }),
    data: z.unknown().meta({
      description:
        'What the service answered, as service.openapi.json has it. Account numbers are masked without --show',
    }),
    count: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Of a list that may be shown in part, how many there are' }),
  })
  .meta({ id: 'ServiceDocument', title: 'One call of the service by hand' });

export type ServiceDocument = z.output<typeof serviceDocumentSchema>;
