import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { RebindCommand } from '../domain/environment/other-environment.ts';
import type { PlannedFile } from '../pipeline/plan/planned-file.ts';
import type { ResumeParts } from '../pipeline/resume-batch.ts';
import type { OnEvent } from '../pipeline/run/run-events.ts';
import type { RunBatchOptions } from '../pipeline/run/run-options.ts';
import type { Pulse } from '../service/pulse.ts';
import type { ServiceChoice } from './connect.ts';
import type { Amounts, PlanOptions } from './file-options.ts';
import type { GivenApproval } from './judge-approvals.ts';
import type { PendingQuestion } from './not-paid-decision.ts';
import type { GivenSettings } from './settings.ts';
import type { WorkerParts } from './work-for-all.ts';

export interface PayrunOptions {
  /** The folder that remembers what was paid. */
  readonly workspace: string;
  /** Where a shared journal stands, as `postgres://user@host/database`; undefined: the journal is a file of the workspace. */
  readonly journalUrl?: string | undefined;
  /** Undefined where nothing is asked of a service. */
  readonly service?: ServiceChoice | undefined;
  /** Over those of `config`. */
  readonly settings?: GivenSettings | undefined;
  /** As payrun.config.json has it; undefined: the one in the workspace. */
  readonly config?: Config | undefined;
  readonly clock?: Clock | undefined;
  /** Told whether the service answers, for whoever shows how a run goes. */
  readonly pulse?: Pulse | undefined;
  /** Whose decisions and runs these are, for the log. */
  readonly operator?: string | undefined;
}

/** What a run is told besides its plan. */
export interface RunOptions
  extends Omit<PlanOptions, 'checkNames'>,
    Partial<Pick<RunBatchOptions, 'isTyped' | 'confirmRebind' | 'resultsPath' | 'workers' | 'chunk'>> {
  /** The file adds up to just this. */
  readonly confirmTotal?: Amounts | undefined;
  /** No more than this is sent, over all runs of the batch. */
  readonly maxTotal?: Amounts | undefined;
  /** Every currency needs one of the two: nobody is asked, and the money is real. Usual where nothing confirms. */
  readonly limitsNeeded?: boolean | undefined;
  /** The text of a plan file: that intention is paid and no other. */
  readonly plan?: string | undefined;
  /** The approvals of that plan, each the text of a file. */
  readonly approvals?: readonly GivenApproval[] | undefined;
  /** Asked once everything that can refuse has not. Undefined: the limits stand in for a person. */
  readonly confirm?: ((planned: PlannedFile) => Promise<boolean>) | undefined;
  readonly onEvent?: OnEvent | undefined;
  /** Aborted: no new payout is taken, what is under way is finished. Before the file is accepted, nothing is. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted, as when time is over: no new payout is taken either, but the file is accepted. */
  readonly until?: AbortSignal | undefined;
}

export type ResumeOptions = Partial<
  Pick<ResumeParts, 'tighten' | 'maxTotal' | 'resultsPath' | 'rebindCommand' | 'onEvent' | 'signal'>
>;

/** What a worker is told. */
export type WorkOptions = Partial<Pick<WorkerParts, 'onEvent' | 'onWork' | 'signal'>>;

/** Which batches are listed, and what counts in their exit codes. */
export interface BatchListOptions {
  /** Undefined: all. */
  readonly batch?: string | undefined;
  /** What has not ended counts only once it has been so for this long; undefined: at once. */
  readonly pendingForMs?: number | undefined;
}

/** What a person says about payouts. */
export interface DecisionOptions {
  /** Payment ids, references, or `line:17`. Undefined: all that the decision can concern. */
  readonly payments?: readonly string[] | undefined;
  /** Kept in the log. */
  readonly reason: string;
  readonly onEvent?: OnEvent | undefined;
  readonly resultsCommand?: ((batch: string) => string) | undefined;
}

/** What `decide` is told. */
export interface DecideOptions extends Omit<DecisionOptions, 'payments'> {
  readonly rebindCommand?: RebindCommand | undefined;
  /** A pending payout may be called unpaid after this time; undefined: as in the settings. */
  readonly pendingForMs?: number | undefined;
  /** Asked before a pending payout is called unpaid. Undefined: the call itself is the word. */
  readonly confirm?: ((question: PendingQuestion) => Promise<boolean>) | undefined;
}

/** Of decisions after which payouts are sent again. */
export interface RepeatOptions {
  readonly allowRepeats?: number | undefined;
}

/** `still-paid`: of one that is paid, and of which the service has said something else since. */
export type Claim = { readonly paid: string } | 'not-paid' | 'still-paid';
