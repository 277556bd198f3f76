import {
  type ApprovalPolicies,
  loosenings,
  nameOfKey,
  policyInForce,
} from '../domain/approval/approval-policy.ts';
import type { EnvironmentKind } from '../domain/environment/environment.ts';
import { canonicalJson } from '../domain/text/canonical-json.ts';
import { counted } from '../domain/text/counted.ts';
import { PayrunError } from '../errors.ts';
import { keepApprovalPolicy, logApproval, readApprovalPolicy } from '../journal/approval-log.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import type { Guard } from '../pipeline/guards/guards.ts';
import type { PlannedFile } from '../pipeline/plan/planned-file.ts';
import type { Consent } from '../pipeline/run/run-options.ts';
import { type PlanFile, planFileOf } from '../report/plan-file.ts';
import type { ApprovalDocument } from '../report/schemas/approval-schema.ts';
import { type GivenApproval, judgeApprovals, plannerTrouble } from './judge-approvals.ts';
import { carriesOn, movedPlan } from './moved-plan.ts';
import { otherThanShown } from './other-than-shown.ts';

interface ConsentParts {
  readonly db: JournalDatabase;
  readonly nowMs: () => number;
  readonly policies: ApprovalPolicies;
  /** Of the service that would pay. */
  readonly kind: EnvironmentKind;
  /** The text of a plan file. */
  readonly plan: string | undefined;
  readonly approvals: readonly GivenApproval[];
}

/** What a run was agreed to with, held against what the configuration asks for and what the journal remembers of it. */
export function consentOf({ db, nowMs, policies, kind, plan, approvals }: ConsentParts): Consent {
  const planFile = plan === undefined ? undefined : planFileOf(plan);
  const policy = policyInForce(policies);
  const judged = planFile && policy ? judgeApprovals(planFile, policy, approvals) : undefined;
  return {
    id: planFile?.id,
    refusals: (planned) => [
      ...(planFile ? movedPlan(planFile, planned) : []),
      ...approvalGuard({ policies, kind, planned }, planFile, approvals),
    ],
    record: (batch, planned, writer) => {
      if (canonicalJson(readApprovalPolicy(db) ?? null) !== canonicalJson(policies.before ?? null))
        throw new PayrunError(
          'approvals',
          'Who has to approve was changed by another run meanwhile. Nothing was sent; run the command again.',
        );
      const event = { atMs: nowMs(), batch, writer };
      keepApprovalPolicy(db, policies.now, event);
      // What carries on was written down when it was accepted.
      if (!planFile || carriesOn(planFile, planned)) return;
      if (!policy || !judged) return;
      const { planner, digest } = planFile.document;
      // By the list that they were judged by: what a file calls somebody is what somebody wrote into it.
      const who = (key: string) => `${nameOfKey(policy, key) ?? ''} (${key})`;
      const plan = `plan ${digest.slice(0, 16)} (file ${planFile.id.slice(0, 16)})`;
      if (planner)
        logApproval(db, 'planned', {
          ...event,
          why: `${plan} signed by ${who(planner.key)} on ${planner.at}`,
        });
      for (const { approver, at, totals } of judged.valid)
        logApproval(db, 'approved', {
          ...event,
          why: `${plan} approved by ${who(approver.key)} on ${at}, ${totalsText(totals)}`,
        });
    },
  };
}

function totalsText(totals: ApprovalDocument['totals']): string {
  const sums = Object.entries(totals).map(([currency, amount]) => `${currency} ${amount}`);
  return sums.length === 0 ? 'nothing to send' : `to send ${sums.join(', ')}`;
}

/** What a plan file and its approvals are held against. */
interface AboutToPay extends Pick<ConsentParts, 'policies' | 'kind'> {
  readonly planned: PlannedFile;
}

function approvalGuard(
  about: AboutToPay,
  planFile: PlanFile | undefined,
  given: readonly GivenApproval[],
): Guard[] {
  const { policies } = about;
  const policy = policyInForce(policies);
  if (!policy) return planFile?.document.approvals ? [noLongerAsked] : [];
  const people = policy.needed === 1 ? 'one other person' : `${policy.needed} other people`;
  const looser = loosenings(policies).map((way) => `  ${way}`);
  const head =
    looser.length === 0
      ? `A plan must be approved by ${people} before it is paid.`
      : [
          `Who has to approve was loosened, and those who had to before have not agreed (${counted(policy.needed, 'approval')} by the old list):`,
          ...looser,
        ].join('\n');
  const found = planFile ? troubles(about, planFile, given) : ['There is no plan: --plan PLAN.json.'];
  if (found.length === 0) return [];
  const message = [
    head,
    ...found.map((trouble) => `  ${trouble}`),
    'The way: payrun plan FILE --out PLAN.json --key KEY; then others: payrun approve PLAN.json --key KEY; then payrun run --plan PLAN.json.',
  ].join('\n');
  return [{ code: 'approvals', message }];
}

/** Whoever made the plan worked where approvals are needed: a configuration that lost them is not the one that was meant. */
const noLongerAsked: Guard = {
  code: 'approvals',
  message:
    'The plan was made where plans have to be approved, and the configuration asks for no approvals. Use the configuration of the plan, or make the plan again.',
};

function troubles(
  { policies, kind, planned }: AboutToPay,
  planFile: PlanFile,
  given: readonly GivenApproval[],
): string[] {
  const policy = policyInForce(policies);
  if (!policy) return [];
  const { document } = planFile;
  const planner = plannerTrouble(planFile, policy);
  const { valid, others, isTampered } = judgeApprovals(planFile, policy, given);
  const isShort = valid.length < policy.needed;
  return [
    ...(planner === undefined ? [] : [planner]),
    ...(isSame(document.approvals, policies.now)
      ? []
      : ['Who has to approve is not what the plan says: make the plan again.']),
    ...(loosenings(policies).length === 0 || isSame(document.approvalsBefore, policies.before)
      ? []
      : ['The plan does not show that who has to approve is loosened: make the plan again.']),
    ...(isShort ? [`${valid.length} of ${policy.needed} needed approvals count.`] : []),
    ...(isShort || isTampered ? others : []),
    ...(carriesOn(planFile, planned) ? [] : otherThanShown(document, planned, kind)),
  ];
}

function isSame(shown: unknown, inForce: unknown): boolean {
  return canonicalJson(shown ?? null) === canonicalJson(inForce ?? null);
}
