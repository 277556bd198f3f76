import type { Decision } from '../decisions/carry-out.ts';
import { type ApprovalPolicies, policyInForce } from '../domain/approval/approval-policy.ts';
import { isMissingAccount } from '../domain/payout/missing-account.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { PayrunError } from '../errors.ts';

/** Where plans are approved by several people, one person does not bring back what has ended. */
export function refuseRetryAlone(policies: ApprovalPolicies, batch: string): void {
  if (!policyInForce(policies)) return;
  throw alone(
    `One person cannot bring payouts of batch ${batch} back: put the rows into a file of another batch, and have its plan approved.`,
  );
}

/**
 * Nor lets one person pass what the plan that was approved holds back: a name that is another's, a limit, a payee, a row
 * that is gone. Names that are close or could not be checked are a matter for one.
 */
export function releaseAlone(
  policies: ApprovalPolicies,
  make: (run: string) => Decision,
): (run: string) => Decision {
  if (!policyInForce(policies)) return make;
  return (run) => {
    const decision = make(run);
    return {
      ...decision,
      rule: (payout) => {
        const ruling = decision.rule(payout);
        if (ruling.kind === 'moves' && !isForOne(payout)) throw notForOne(payout);
        return ruling;
      },
    };
  };
}

function isForOne(payout: Payout): boolean {
  if (payout.state !== 'held') return true;
  if (payout.hold !== 'name' || isMissingAccount(payout)) return false;
  return payout.verdict === 'close' || payout.verdict === 'unchecked';
}

function notForOne({ key, accountName }: Payout): PayrunError {
  return alone(
    `One person cannot release payment ${key} (${accountName}): what it is held for is not a close or unchecked name. Nothing was released. Correct the row in the retry file, or cancel it and pay it in another batch, and have the plan approved.`,
  );
}

function alone(message: string): PayrunError {
  return new PayrunError('approvals', message);
}
