import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { RebindCommand } from '../domain/environment/other-environment.ts';
import type { Tightening } from '../domain/policy.ts';
import type { RebindQuestion } from '../pipeline/environment/rebind-at-run.ts';
import type { PlannedFile } from '../pipeline/plan/planned-file.ts';
import type { OnEvent } from '../pipeline/run/run-events.ts';
import type { ServiceChoice } from './connect.ts';
import type { Amounts, PlanOptions } from './file-options.ts';
import type { GivenSettings } from './settings.ts';

export interface PayrunOptions {
  /** The folder that remembers what was paid. */
  readonly workspace: string;
  /** Undefined where nothing is asked of a service. */
  readonly service?: ServiceChoice | undefined;
  /** Over those of `config`. */
  readonly settings?: GivenSettings | undefined;
  /** As payrun.config.json has it; undefined: the one in the workspace. */
  readonly config?: Config | undefined;
  readonly clock?: Clock | undefined;
  /** Whose decisions and runs these are, for the log. */
  readonly operator?: string | undefined;
}

/** What a run is told besides its plan. */
export interface RunOptions extends Omit<PlanOptions, 'checkNames'> {
  /** The file adds up to just this. */
  readonly confirmTotal?: Amounts | undefined;
  /** No more than this is sent, over all runs of the batch. */
  readonly maxTotal?: Amounts | undefined;
  /** Every currency needs one of the two: nobody is asked, and the money is real. Usual where nothing confirms. */
  readonly limitsNeeded?: boolean | undefined;
  /** Asked once everything that can refuse has not. Undefined: the limits stand in for a person. */
  readonly confirm?: ((planned: PlannedFile) => Promise<boolean>) | undefined;
  /** What `confirm` asks for is typed by a person: it is confirmed with that. */
  readonly isTyped?: boolean | undefined;
  /** Asked whether another account is the batch's own; undefined where nobody can be asked. */
  readonly confirmRebind?: ((question: RebindQuestion) => Promise<boolean>) | undefined;
  readonly resultsPath?: string | undefined;
  readonly onEvent?: OnEvent | undefined;
  /** Aborted: no new payout is taken, what is under way is finished. */
  readonly signal?: AbortSignal | undefined;
}

export interface ResumeOptions {
  /** Stricter than the batch's own policy and limits; looser is not possible. */
  readonly tighten?: Tightening | undefined;
  readonly maxTotal?: Amounts | undefined;
  /** Where the results go if the folder they went to is gone. */
  readonly resultsPath?: string | undefined;
  readonly rebindCommand?: RebindCommand | undefined;
  readonly onEvent?: OnEvent | undefined;
  readonly signal?: AbortSignal | undefined;
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

/** Of decisions after which payouts are sent again. */
export interface RepeatOptions {
  readonly allowRepeats?: number | undefined;
}

export type Claim = { readonly paid: string } | 'not-paid';
