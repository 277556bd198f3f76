import * as z from 'zod';
import type { RowStatus } from '../domain/payout/payout-state.ts';
import type { PayrunColumn } from '../domain/row.ts';

/** What a status says to the person who reads the results. */
export const rowStatuses = {
  paid: 'The service says that the money arrived.',
  pending: 'The service has the payout and has not finished it. payrun resume asks again.',
  unknown:
    'It was sent, and whether it was taken is not known yet. payrun resume finds out. Do not pay it by hand.',
  not_sent: 'Nothing was sent yet. payrun resume continues.',
  failed: 'The service tried and failed; no money moved. Correct the row, or payrun retry.',
  refused: 'The service did not take the payout; no money moved. Correct the row, or payrun retry.',
  held: 'Not sent: it waits for a person. The reason says why; payrun release, or payrun cancel.',
  returned: 'It was paid and came back.',
  cancelled: 'A person dropped it before it was sent.',
  invalid: 'The row cannot be paid as it stands. The reason says what to correct.',
} as const satisfies Record<RowStatus, string>;

const statuses = Object.keys(rowStatuses) as RowStatus[];

const day = /^(?:\d{4}-\d{2}-\d{2})?$/;
const instant = /^(?:\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z)?$/;
const reference = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})?$/;

const payrunCells = {
  payrun_batch: z.string().min(1).meta({ description: 'The batch that the row belongs to.' }),
  payrun_key: z.string().min(1).meta({
    description: 'Which payment of the batch it is; `line:17` for a row that never was a payment.',
  }),
  payrun_status: z.enum(statuses).meta({ description: 'What became of the row.' }),
  payrun_code: z
    .string()
    .regex(/^[a-z-]*$/)
    .meta({
      description:
        'The code of the reason; for an invalid row, the code of its problem. docs/codes.md and docs/file-format.md explain each.',
    }),
  payrun_reason: z.string().meta({
    description: 'The reason, if there is one; for an unknown payout also what the service said.',
  }),
  payrun_paid_twice: z.string().meta({
    description: 'The transactions that paid it, where there is more than one: PAID TWICE. Empty otherwise.',
  }),
  payrun_paid: z
    .string()
    .regex(/^(?:\d+(?:\.\d+)?)?$/)
    .meta({
      description: 'The amount that was paid, as the service shows it; empty for every status but paid.',
    }),
  payrun_paid_on: z.string().regex(day).meta({ description: 'The day it was paid, in your time zone.' }),
  payrun_reference: z.string().regex(reference).meta({ description: 'Our reference at the service.' }),
  payrun_transaction: z.string().meta({ description: 'The transaction at the service.' }),
  payrun_account: z.string().meta({ description: 'The external account at the service.' }),
  payrun_verdict: z.enum(['', 'match', 'close', 'mismatch', 'unchecked', 'no-account']).meta({
    description:
      'How the name in the file and the name on the account compare; empty if they were not compared yet.',
  }),
  payrun_resolved_name: z.string().meta({ description: 'The name that the service has for the account.' }),
  payrun_attempt: z
    .string()
    .regex(/^(?:[1-9]\d*)?$/)
    .meta({
      description:
        'Counted from 1; it rises only after a failure. Where an earlier attempt is paid after all, it is that one.',
    }),
  payrun_submitted_at: z.string().regex(instant).meta({ description: 'When it was sent, in UTC.' }),
  payrun_settled_at: z.string().regex(instant).meta({ description: 'When its end was seen, in UTC.' }),
  payrun_event: z
    .string()
    .regex(/^(?:sandbox:|test:)?[1-9]\d*:[0-9a-f]{64}$/)
    .meta({
      description:
        'Number and hash of the last event of the journal when the file was written, the same in every row; payrun audit --results looks it up. `sandbox:` or `test:` in front: no money moved.',
    }),
} satisfies Record<PayrunColumn, z.ZodType>;

/** A row of the results file, every cell as text: the columns of the input, then ours. */
export const resultRowSchema = z
  .object(payrunCells)
  .catchall(z.string())
  .meta({ id: 'ResultRow', title: 'A row of a results file: the input columns as they came, then ours' });
