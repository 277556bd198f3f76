import * as z from 'zod';

const line = z
  .number()
  .int()
  .min(0)
  .meta({ description: 'The physical line, counted from 1; 0 for the file as a whole' });
const column = z
  .string()
  .nullable()
  .meta({ description: 'The header as the file writes it, or the field that has no column' });

/** A problem as JSON shows it, and as `--problems` writes it. */
export const problemSchema = z
  .strictObject({
    line,
    column,
    code: z.string().meta({ description: 'Stable; docs/file-format.md lists them all' }),
    message: z.string().meta({ description: 'What is wrong and what to do about it' }),
    value: z.string().meta({ description: 'The text as it came, cut to a readable length' }),
    blocking: z.boolean().meta({ description: 'false: a warning; the row can be paid' }),
  })
  .meta({ id: 'Problem', title: 'Something wrong with a file or one of its rows' });

export const repairSchema = z
  .strictObject({ line, column, code: z.string(), message: z.string(), from: z.string(), to: z.string() })
  .meta({ id: 'Repair', title: 'Damage with one possible answer, repaired and reported' });

export type ProblemDocument = z.output<typeof problemSchema>;
export type RepairDocument = z.output<typeof repairSchema>;
