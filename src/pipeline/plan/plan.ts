import type { RowFate } from '../../domain/payout/row-fate.ts';
import type { PaymentKey } from '../../domain/reference.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';
import type { DraftCounts, Total } from '../../journal/draft/draft-queries.ts';
import type { GonePayout } from '../../journal/draft/plan-queries.ts';
import type { PreviousRunDiff } from '../../journal/draft/previous-run-diff.ts';
import type { Guard } from '../guards/guards.ts';

/** What a draft would do. A small value over rows that stay in SQL: it is made before anything happens. */
export interface Plan extends DraftCounts {
  readonly batch: string;
  readonly knownBatch: BatchRecord | undefined;
  readonly keyKind: PaymentKey['kind'];
  /** A problem of the whole file: nothing of it can be paid, not even its sound rows. */
  readonly spoilt: boolean;
  readonly fates: Readonly<Record<RowFate, number>>;
  readonly totals: readonly CurrencyTotal[];
  readonly byDestination: readonly Total[];
  readonly byCountry: readonly Total[];
  /** What each wallet is asked for now, in the currency paid out. */
  readonly byWallet: readonly Total[];
  /** Accepted earlier and not in this file, though a run of it would send them: by wallet, in the currency paid out. */
  readonly besides: readonly Total[];
  readonly gone: { readonly unsent: number; readonly sent: number; readonly first: readonly GonePayout[] };
  readonly diff: PreviousRunDiff | undefined;
  readonly guards: readonly Guard[];
  readonly digest: string;
}

export interface CurrencyTotal {
  readonly currency: string;
  readonly rows: number;
  readonly fileMinor: bigint;
  readonly paidBeforeRows: number;
  readonly paidBeforeMinor: bigint;
  /** Sent before, and not known to have ended. */
  readonly onTheWayRows: number;
  readonly onTheWayMinor: bigint;
  readonly toSendRows: number;
  readonly toSendMinor: bigint;
}

/** What a run of the file would send now, by currency: of the file, and of the batch besides. */
export function toSendNow({ totals, besides }: Pick<Plan, 'totals' | 'besides'>): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = (currency: string, minor: bigint) => {
    if (minor > 0n) sums.set(currency, (sums.get(currency) ?? 0n) + minor);
  };
  for (const { currency, toSendMinor } of totals) add(currency, toSendMinor);
  for (const { currency, amountMinor } of besides) add(currency, amountMinor);
  return sums;
}
