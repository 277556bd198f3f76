import * as z from 'zod';

const money = z.string().regex(/^-?\d+(\.\d+)?$/);

/** What `run`, `resume` and `status BATCH` print with --json. */
export const runDocumentSchema = z
  .strictObject({
    kind: z.enum(['run', 'status']).meta({ description: 'run: of a run or a resume' }),
    batch: z.string(),
    environment: z.string(),
    exit: z.number().int(),
    statuses: z.record(z.string(), z.number().int()),
    totals: z.record(
      z.string(),
      z.strictObject({
        file: money,
        paidNow: money,
        paidBefore: money,
        paidLess: money
          .optional()
          .meta({ description: 'By how much the service shows less paid than the file says' }),
        paidMore: money
          .optional()
          .meta({ description: 'By how much the service shows more paid than the file says' }),
        left: money.meta({ description: 'Not paid: what is on the way or unknown is part of it' }),
        onTheWay: money.meta({ description: 'The service has it and has not said how it ended' }),
        unknown: money.meta({ description: 'Sent, and the evidence does not decide' }),
      }),
    ),
    results: z.string().nullable().meta({ description: 'null: of a status, where the file is gone' }),
    retry: z.string().nullable(),
    journal: z.strictObject({ event: z.number().int(), hash: z.string() }),
    invalidGone: z.number().int().optional().meta({
      description: 'Of the invalid, rows that were taken out of the file: nothing is left to do about them',
    }),
    decided: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Of the refused, those that a person, and not the service, said were not paid' }),
    watched: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Payouts that are paid while another transaction of theirs is still open' }),
    doubted: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Payouts that are paid while the service has said something else of them since' }),
    paidTwice: z
      .array(z.strictObject({ payment: z.string(), transactions: z.array(z.string()) }))
      .optional()
      .meta({ description: 'Payments that more than one transaction has paid' }),
    begunAt: z.string().optional().meta({ description: 'Of a status, as the other times' }),
    lastSendAt: z.string().nullable().optional(),
    oldestPendingAt: z.string().nullable().optional(),
    stopped: z.strictObject({ code: z.string(), message: z.string() }).optional(),
    work: z
      .strictObject({
        chunks: z
          .strictObject({ all: z.number().int(), toDo: z.number().int() })
          .meta({ description: 'toDo: those with something left to do' }),
        workers: z.array(
          z.strictObject({
            name: z.string(),
            doing: z.string(),
            seenSecondsAgo: z.number().int(),
            ratePerSecond: z.number().nullable().meta({ description: 'As it was told; null: none' }),
          }),
        ),
        pace: z.strictObject({
          ratePerSecond: z
            .number()
            .nullable()
            .meta({ description: 'What all workers keep to together; null: nothing, or nobody is there' }),
          pausedForSeconds: z
            .number()
            .int()
            .meta({ description: 'The service asked for a pause: what is left of it' }),
        }),
        givenBack: z
          .strictObject({ code: z.string(), message: z.string() })
          .nullable()
          .meta({ description: 'Why workers gave the batch back; null: they did not' }),
      })
      .optional()
      .meta({ description: 'Of a status, where the batch was left to workers' }),
  })
  .meta({ id: 'RunDocument', title: 'The end of a run' });

export type RunDocument = z.output<typeof runDocumentSchema>;
