import { isSignedBy, type Signer } from '../domain/approval/signing-key.ts';
import { canonicalJson } from '../domain/text/canonical-json.ts';
import type { PlanDocument } from './plan-document.ts';

/** The plan with the name of whoever made it under it. */
export function signPlan(
  document: PlanDocument,
  signer: Signer,
  { name, at }: { readonly name: string; readonly at: string },
): PlanDocument {
  const planner = { key: signer.key, name, at, signature: '' };
  const signature = signer.sign('plan', signedText({ ...document, planner }));
  return { ...document, planner: { ...planner, signature } };
}

/** Whether the plan is as its planner signed it. */
export function isAsPlanned(document: PlanDocument): boolean {
  const { planner } = document;
  return planner !== null && isSignedBy(planner.key, 'plan', signedText(document), planner.signature);
}

function signedText(document: PlanDocument): string {
  return canonicalJson({ ...document, planner: { ...document.planner, signature: '' } });
}
