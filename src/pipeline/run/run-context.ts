import type { Clock } from '../../clock.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { Policy } from '../../domain/policy.ts';
import type { Asked } from '../../journal/asked.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';
import type { BegunSend, Journal } from '../../journal/journal.ts';
import type { ResolvedEntry } from '../../journal/known-names.ts';
import type { KnownPayees } from '../../journal/known-payees.ts';
import type { LookUpProofs } from '../../journal/look-up-proof.ts';
import type { Payouts } from '../../journal/payouts/payout-queries.ts';
import type { SavedAccount } from '../../journal/saved-account.ts';
import type { Service } from '../../service/client.ts';
import type { SelfTest } from '../look-up/look-up.ts';
import type { LookUpDelays } from '../look-up/look-up-delays.ts';
import type { AccountList } from '../payee/account-list.ts';
import type { KeptList, ListReading } from '../payee/list-read-lately.ts';
import type { ListedAccounts } from '../payee/listed-accounts.ts';
import { createRereads, type Rereads } from '../payee/rereads.ts';
import type { BackgroundWrites } from './background-writes.ts';
import { type Breakers, createBreakers } from './breaker.ts';
import type { OnEvent } from './run-events.ts';

export interface RunSettings {
  readonly concurrency: number;
  /** Of one call. A quiet period is never shorter than twice this. */
  readonly timeoutMs: number;
  readonly quietPeriodMs: number;
  readonly resends: number;
  readonly settleForMs: number;
  readonly lookup: 'auto' | 'always';
  readonly phonePlus: boolean;
  readonly namesMaxAgeMs: number;
  readonly policy: Policy;
}

/** What a stage tells the journal of its batch, and asks it about one payout. */
export interface RunJournal
  extends Asked<
    Pick<
      Journal,
      | 'read'
      | 'move'
      | 'note'
      | 'logBatch'
      | 'acceptSend'
      | 'endSend'
      | 'foundSend'
      | 'noteUnseen'
      | 'unseenMs'
      | 'sinceLastSendMs'
      | 'lastSendEnd'
      | 'lastSentMs'
      | 'lastRefusal'
      | 'sendsThatLeft'
    >
  > {
  /** The intent to send, written only if what is known of the payee in that very step is what the caller counts on. */
  beginSend(
    payout: Payout,
    why: string,
    holds: (known: KnownOfPayee) => boolean,
  ): Promise<BegunSend | undefined>;
}

/** What the journal says of a payee: its account, and the name that it resolves to. */
export interface KnownOfPayee {
  readonly account: SavedAccount | undefined;
  readonly name: ResolvedEntry | undefined;
}

/** Everything a stage works with. Stages join journal and service; neither knows the other. */
export interface RunContext {
  readonly run: string;
  /**
   * The run whose payouts need no look-up before they are sent first: this one, or the one that left them to workers under the
   * eyes of this process. Since then it has followed every commit, and would have noticed a journal that went back.
   */
  readonly acceptedBy: string;
  /** Of a batch that workers carry out: the parts of it that this one does. */
  readonly chunks: readonly number[] | undefined;
  readonly batch: Pick<BatchRecord, 'id' | 'name' | 'keyKind' | 'environment'>;
  readonly settings: RunSettings;
  readonly journal: RunJournal;
  readonly payouts: Asked<Payouts>;
  readonly payees: Asked<KnownPayees>;
  readonly proofs: LookUpProofs;
  readonly delays: LookUpDelays;
  /** Takes what webhooks said about submitted payouts: they are worth reading now. */
  readonly takeHints: () => Promise<number>;
  readonly service: Service;
  readonly clock: Clock;
  readonly startedMonotonicMs: number;
  readonly onEvent: OnEvent;
  /** True once no new payout may be taken: an interrupt or the deadline. */
  readonly stopping: () => boolean;
  readonly signal: AbortSignal;
  /** Waits without the batch's lock: a decision may get in while a run only settles. */
  readonly waitUnlocked: (wait: () => Promise<void>) => Promise<void>;
  /** That the journal may have forgotten has been seen to. */
  readonly looked: () => Promise<void>;
  /** For what is only recorded: nothing waits for it, but the end of the stage does. */
  readonly writes: BackgroundWrites;
  readonly memory: RunMemory;
}

/** What a run remembers while it lasts and forgets on purpose: after a restart every wait begins anew. */
export interface RunMemory {
  readonly worker: WorkerMemory;
  readonly lists: ListMemory;
  /** What came to nothing in a row: of a worker also over the chunks of a batch, however small they are. */
  readonly breakers: Breakers;
  readonly batch: BatchMemory;
  readonly chunk: ChunkMemory;
}

/** The service's external accounts, as this run knows them. */
export interface ListMemory {
  /** The list as it was first read in this run, kept up with what was found since. */
  accounts: AccountList | undefined;
  /** As it was read last, for the names that are stored there. */
  lastList: ListedAccounts | undefined;
  /** The list once more, for whoever has to know what came since. */
  readonly rereads: Rereads;
}

/** Of the process, whichever parts of batches it works on: what the service shows to all. */
export interface WorkerMemory {
  /** The list that parts of batches are begun with. */
  kept: KeptList | undefined;
  /** It is being read once more. */
  reading: ListReading | undefined;
  /** Whether a reference that was never used found nothing. Undefined: not asked yet. */
  selfTest: Promise<SelfTest> | undefined;
}

/** Of the whole batch, whoever works on it. */
export interface BatchMemory {
  /** The journal may lack its last commits: what was sent since must have landed before anything is looked up. */
  readonly mayHaveForgotten: boolean;
  /** The journal has forgotten sends of this batch: every payout is looked up before it is sent. */
  lookUpEvery: boolean;
  /** Whether the service was asked what it already holds of payouts that the journal never sent. */
  askedForForgotten: boolean;
  /** The service did not answer whether it has what this journal takes for ended: it is asked by the next run. */
  isUntold: boolean;
}

/** Of the payouts that are worked on here. */
export interface ChunkMemory {
  /** When the last send of a payout that is not accepted began, by the clock that never goes back. */
  readonly sendBegunMs: Map<number, number>;
  /** When it ended. */
  readonly sendEndedMs: Map<number, number>;
  /** The payout accepted last, and when its send began and ended. */
  lastAccepted: { readonly payout: number; readonly begunMs: number; readonly endedMs: number } | undefined;
  /** Payouts whose reference the service called used, though no look-up finds it. */
  readonly burnt: Set<number>;
  readonly unauthorised: Map<number, number>;
  /** How many sends of a payout were answered with 401 or 429 in this run, whichever stage made them. */
  readonly answered: Map<number, number>;
  /** Payouts that were named as neither paid nor failed. */
  readonly named: Set<number>;
  /** Sends of this run, so that a stop can say whether anything left. */
  sends: number;
}

export function newWorkerMemory(): WorkerMemory {
  return { kept: undefined, reading: undefined, selfTest: undefined };
}

export function newRunMemory(
  mayHaveForgotten = false,
  breakers = createBreakers(0),
  worker = newWorkerMemory(),
): RunMemory {
  return {
    worker,
    lists: { accounts: undefined, lastList: undefined, rereads: createRereads() },
    breakers,
    batch: { mayHaveForgotten, lookUpEvery: mayHaveForgotten, askedForForgotten: false, isUntold: false },
    chunk: {
      sendBegunMs: new Map(),
      sendEndedMs: new Map(),
      lastAccepted: undefined,
      burnt: new Set(),
      unauthorised: new Map(),
      answered: new Map(),
      named: new Set(),
      sends: 0,
    },
  };
}
