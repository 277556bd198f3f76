import * as z from 'zod';
import { moneyText } from './money-text.ts';
import { problemSchema, repairSchema } from './problem-schema.ts';

/** What `validate --json` prints. */
export const validationSchema = z
  .strictObject({
    ok: z.boolean().meta({ description: 'No blocking problem: every row can be paid' }),
    file: z.string(),
    rows: z.number().int().min(0),
    totals: z
      .record(z.string(), moneyText)
      .meta({ description: 'Of the rows that can be paid, by currency' }),
    problems: z.array(problemSchema),
    repairs: z.array(repairSchema),
  })
  .meta({ id: 'Validation', title: 'What validate found in a file' });
