import type { EnvironmentKind } from '../../domain/environment/environment.ts';
import type { ResultSums } from '../../domain/payout/result-tally.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';
import type { PreviousRunDiff } from '../../journal/draft/previous-run-diff.ts';
import type { ChainEnd } from '../../journal/event-chain.ts';
import type { PaidTwice } from '../../journal/payouts/payout-queries.ts';
import type {
  EndedShare,
  LoggedDecision,
  RailShare,
  VerdictShare,
} from '../../journal/payouts/report-queries.ts';
import type { ReportRow } from './report-row.ts';

/** The first few of something, and how many there are. */
export interface Listed<Value> {
  readonly count: number;
  readonly first: readonly Value[];
}

/** Payouts that ended, by equal steps of time. */
export interface EndedOverTime {
  readonly firstMs: number;
  readonly lastMs: number;
  /** Where the first step begins. */
  readonly fromMs: number;
  readonly stepMs: number;
  readonly shares: readonly EndedShare[];
}

/** All that a report says of a batch, apart from its rows: short, however many these are. */
export interface ReportFacts {
  readonly batch: BatchRecord;
  /** What people are told: a sandbox of ours that runs by itself is called one. */
  readonly kind: EnvironmentKind;
  readonly madeMs: number;
  readonly madeBy: string;
  readonly version: string;
  readonly timeZone: string;
  readonly rowCount: number;
  readonly sums: ResultSums;
  readonly paidTwice: readonly PaidTwice[];
  /** Rows that a person must look at. */
  readonly attention: Listed<ReportRow>;
  /** Rows that were taken out of the file before they were paid. */
  readonly outOfFile: number;
  /** The most used first. */
  readonly rails: Listed<RailShare>;
  readonly verdicts: readonly VerdictShare[];
  readonly ended: EndedOverTime | undefined;
  readonly diff: PreviousRunDiff | undefined;
  readonly decisions: Listed<LoggedDecision>;
  readonly chainEnd: ChainEnd;
}
