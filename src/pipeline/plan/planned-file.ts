import type { Environment } from '../../domain/environment/environment.ts';
import type { Policy } from '../../domain/policy.ts';
import { type ExitCode, exitCode } from '../../errors.ts';
import type { AcceptedDrafts } from '../../journal/accepted-drafts.ts';
import type { DraftedFile } from '../draft/drafted-file.ts';
import type { ServiceView } from './inspect-service.ts';
import type { RetryCommand } from './locked-row-problem.ts';
import type { Plan } from './plan.ts';

/** Everything that can be said about a file before money moves. */
export interface PlannedFile {
  readonly drafted: DraftedFile;
  readonly plan: Plan;
  /** As asked for; for a part of a batch, never looser than the batch's own. */
  readonly policy: Policy;
  /** What the guards against paying again were told. */
  readonly repeats: RepeatSettings;
  /** What the batch has taken in so far. */
  readonly accepted: AcceptedDrafts;
  /** For a row whose payout was cancelled. */
  readonly retryCommand?: RetryCommand | undefined;
  readonly environment: Environment | undefined;
  /** Of a batch that an earlier version began: whether the service has just shown that it is this account's. */
  readonly isAccountShown: boolean;
  /** Undefined where there is no service, or it could not be asked. */
  readonly view: ServiceView | undefined;
  /** Why the service could not be asked about a file that is refused anyway. */
  readonly trouble: string | undefined;
  /** What `run` would end with before it sends anything; 0 where it would send. */
  readonly exit: ExitCode;
}

export interface RepeatSettings {
  readonly windowMs: number;
  readonly allowed: number;
  readonly sameBatch: boolean;
}

/** In the order in which a run looks: the file first, then the guards. */
export function exitOfPlan(plan: Plan, { skipInvalid }: Policy): ExitCode {
  const payable = plan.valid > 0 && (plan.blocking === 0 || skipInvalid);
  if (plan.spoilt || !payable) return exitCode.fileInvalid;
  return plan.guards.length > 0 ? exitCode.guardRefused : exitCode.ok;
}
