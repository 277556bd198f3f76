import type { ResultRow } from '../../src/domain/payout/result-row.ts';
import type { ResultSums } from '../../src/domain/payout/result-tally.ts';
import { ResultTally } from '../../src/domain/payout/result-tally.ts';

type State = NonNullable<ResultRow['payout']>['state'];

const payout = {
  key: 'E1',
  attempt: 1,
  reference: 'r',
  code: '',
  details: '{}',
  paidTwice: '',
  watched: '',
  paidMinor: null,
  currency: 'KES',
  amountMinor: 100_000n,
  externalAccountId: '',
  verdict: '',
  resolvedName: '',
  hold: '',
  transactionId: '',
  everSent: true,
  submittedMs: null,
  settledMs: 1,
  paidNow: false,
  serviceSaid: '',
  releases: '',
  released: '',
} as const;

/** The sums of payouts of KES 1,000.00 each. */
export function sumsOf(
  ...rows: { state: State; paidNow?: boolean; everSent?: boolean; absent?: boolean; currency?: string }[]
): ResultSums {
  const tally = new ResultTally();
  for (const { absent, ...changes } of rows) {
    tally.add({
      line: 2,
      cells: [],
      payout: { ...payout, ...changes },
      problem: '',
      problemCode: '',
      present: !absent,
    });
  }
  return tally.sums;
}
