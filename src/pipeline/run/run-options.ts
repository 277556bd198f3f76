import type { Clock } from '../../clock.ts';
import type { Writer } from '../../journal/journal.ts';
import type { JournalDatabase } from '../../journal/journal-database.ts';
import type { Service } from '../../service/client.ts';
import type { RebindQuestion } from '../environment/rebind-at-run.ts';
import type { Guard } from '../guards/guards.ts';
import type { Limits } from '../guards/limits.ts';
import type { AskedService, PlanFileOptions } from '../plan/plan-options.ts';
import type { PlannedFile } from '../plan/planned-file.ts';
import type { RunSettings } from './run-context.ts';
import type { OnEvent } from './run-events.ts';

/** What a run was agreed to with: a plan that was written down, and who has approved it. */
export interface Consent {
  /** By what the draft is known to the batch; undefined: by its own digest. */
  readonly id: string | undefined;
  /** Why the run is not what was agreed to. */
  refusals(planned: PlannedFile): readonly Guard[];
  /** Inside the transaction that accepts the draft: what the log is to know. Throws where it no longer holds. */
  record(batch: number, planned: PlannedFile, writer: Writer): void;
}

export interface RunBatchOptions extends Omit<PlanFileOptions, 'checkNames' | 'keepNames'> {
  readonly settings: RunSettings;
  readonly limits: Limits;
  /** Every currency needs a limit: no terminal to ask at, and real money. */
  readonly limitsNeeded: boolean;
  /** What `confirm` asks for is typed by a person: it is confirmed with that. */
  readonly isTyped?: boolean | undefined;
  readonly resultsPath: string | undefined;
  readonly consent?: Consent | undefined;
  readonly operator: string;
  /** Undefined where nobody can be asked whether another account is the batch's own. */
  readonly confirmRebind?: ((question: RebindQuestion) => Promise<boolean>) | undefined;
  /** Asked once everything that can refuse has not. False: nothing is accepted and nothing sent. */
  readonly confirm: (planned: PlannedFile) => Promise<boolean>;
  /** Workers carry it out: this run looks on until they are done, or ends at once. Undefined: it does so itself. */
  readonly workers?: 'watched' | 'detached' | undefined;
  /** That workers keep to with it, where it is left to them. */
  readonly ratePerSecond?: number | undefined;
  /** Payees that a worker takes at a time. */
  readonly chunk?: number | undefined;
  readonly onEvent: OnEvent;
  /** A wish to stop: before anything is accepted, all is left as it was. */
  readonly signal: AbortSignal;
  /** Aborted once no payout may be begun any more, though nobody wishes to stop; what is accepted waits for the next run. */
  readonly until?: AbortSignal | undefined;
}

export interface RunBatchParts {
  readonly db: JournalDatabase;
  readonly workspace: string;
  readonly clock: Clock;
  readonly service: Service;
  readonly place: string;
  readonly publicKey: string;
  readonly prepare?: AskedService['prepare'];
}
