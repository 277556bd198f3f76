import type { Consent } from '../pipeline/run/run-options.ts';
import { planFileOf } from '../report/plan-file.ts';
import { movedPlan } from './moved-plan.ts';

/** What a run was agreed to with: the text of a plan file. */
export function consentOf(plan: string): Consent {
  const planFile = planFileOf(plan);
  return {
    id: planFile.id,
    refusals: (planned) => movedPlan(planFile, planned),
    record: () => undefined,
  };
}
