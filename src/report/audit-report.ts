import type { AuditedSum } from '../audit/audit-service.ts';
import { decimalOf, formatMoney } from '../domain/money/format-money.ts';
import type { Finding } from '../domain/payout/audit-findings.ts';
import { counted } from '../domain/text/counted.ts';
import type { AuditedJournal } from '../journal/payouts/audit-journal.ts';

/** What an audit looked at and what it found. */
export interface Audit {
  readonly batches: readonly string[];
  readonly journal: AuditedJournal;
  /** Undefined where no results file was asked about. */
  readonly results: { readonly path: string; readonly rows: number } | undefined;
  /** Undefined where the service was not asked. */
  readonly sums: readonly AuditedSum[] | undefined;
  readonly count: number;
  readonly findings: readonly Finding[];
}

/** One line a finding, the worst first; then what was looked at, for an audit that found nothing must say how far it looked. */
export function auditReport({ batches, journal, results, sums, count, findings }: Audit): string {
  const { seq, hash } = journal.chain;
  return [
    ...findings.map(({ kind, message }) => `${kind}: ${message}`),
    count === 0 ? 'No findings.' : `${counted(count, 'finding')}.`,
    `Looked at ${counted(journal.payouts, 'payout')} of ${counted(batches.length, 'batch', 'batches')}${seq === 0 ? '' : `, and ${counted(seq, 'event')} ending in ${hash}`}.`,
    ...(results ? [`Compared ${counted(results.rows, 'row')} of ${results.path}.`] : []),
    ...(sums && count > 0
      ? [
          'An audit changes nothing. What the service has done otherwise since, payrun resume takes over: it reads what ended in the last 14 days, once a day.',
        ]
      : []),
    ...(sums ?? []).map(
      ({ batch, currency, paidHereMinor, paidThereMinor }) =>
        `Batch ${batch}: the journal calls ${formatMoney(paidHereMinor, currency)} paid, the service paid ${formatMoney(paidThereMinor, currency)}.`,
    ),
  ].join('\n');
}

export function auditDocument(
  { batches, journal, sums, count, findings }: Audit,
  exit: number,
): Record<string, unknown> {
  return {
    kind: 'audit',
    batches,
    exit,
    events: journal.chain.seq,
    hash: journal.chain.hash,
    payouts: journal.payouts,
    ...(sums ? { sums: sums.map(sumDocument) } : {}),
    count,
    findings,
  };
}

function sumDocument({ batch, currency, paidHereMinor, paidThereMinor }: AuditedSum): Record<string, string> {
  return {
    batch,
    currency,
    journal: decimalOf(paidHereMinor, currency),
    service: decimalOf(paidThereMinor, currency),
  };
}
