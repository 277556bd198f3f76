import { createHash } from 'node:crypto';
import { PayrunError } from '../errors.ts';
import { type PlanDocument, planSchema } from './plan-document.ts';

/** A plan that was written down. */
export interface PlanFile {
  /** SHA-256 of its bytes: another byte is another plan. */
  readonly id: string;
  readonly document: PlanDocument;
}

/** The plan that a file holds. */
export function planFileOf(text: string): PlanFile {
  const document = planSchema.safeParse(jsonOf(text));
  if (!document.success)
    throw new PayrunError(
      'not-a-plan',
      'This is no plan of this version of payrun. Write one with: payrun plan FILE --out PLAN.json',
    );
  return { id: createHash('sha256').update(text).digest('hex'), document: document.data };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
