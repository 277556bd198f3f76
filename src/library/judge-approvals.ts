import { type ApprovalPolicy, nameOfKey } from '../domain/approval/approval-policy.ts';
import { approvalOf, isApprovalOf } from '../report/approval-document.ts';
import type { PlanFile } from '../report/plan-file.ts';
import type { ApprovalDocument } from '../report/schemas/approval-schema.ts';
import { isAsPlanned } from '../report/signed-plan.ts';

/** An approval as it was found. */
export interface GivenApproval {
  /** For people: the name of its file. */
  readonly from: string;
  readonly text: string;
}

export interface JudgedApprovals {
  /** Of different people, none of whom has planned. */
  readonly valid: readonly ApprovalDocument[];
  /** What was given and does not count, and why. */
  readonly others: readonly string[];
  /** Something was changed after it was signed: then nothing is paid, however many others there are. */
  readonly isTampered: boolean;
}

/** Whose plan it is, by the list in force; why not, in a sentence. */
export function plannerTrouble({ document }: PlanFile, policy: ApprovalPolicy): string | undefined {
  const { planner } = document;
  if (planner === null) return 'Nobody has signed the plan: payrun plan FILE --out PLAN.json --key KEY.';
  if (!isAsPlanned(document)) return 'The plan was changed after it was signed.';
  if (nameOfKey(policy, planner.key) === undefined)
    return `The plan is signed with ${planner.key}, which is not listed.`;
  return undefined;
}

/** Which approvals count: for this very plan, by keys in the list, each once, and never the planner's own. */
export function judgeApprovals(
  planFile: PlanFile,
  policy: ApprovalPolicy,
  given: readonly GivenApproval[],
): JudgedApprovals {
  const valid: ApprovalDocument[] = [];
  const others: string[] = [];
  let isTampered = false;
  for (const { from, text } of given) {
    const approval = approvalOf(text);
    const trouble = approval
      ? whyNot(approval, planFile, policy, valid)
      : 'it is no approval, or was changed after it was signed';
    if (!approval) isTampered = true;
    if (approval && trouble === undefined) valid.push(approval);
    else others.push(`${from}: ${trouble}`);
  }
  return { valid, others, isTampered };
}

function whyNot(
  approval: ApprovalDocument,
  planFile: PlanFile,
  policy: ApprovalPolicy,
  counted: readonly ApprovalDocument[],
): string | undefined {
  const { key } = approval.approver;
  if (!isApprovalOf(approval, planFile)) return 'it is for another plan';
  if (nameOfKey(policy, key) === undefined) return `its key ${key} is not listed`;
  if (key === planFile.document.planner?.key) return 'it is by the planner, who cannot approve';
  if (counted.some(({ approver }) => approver.key === key)) return 'its key has approved already';
  return undefined;
}
