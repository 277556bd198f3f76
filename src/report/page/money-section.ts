import { decimalOf } from '../../domain/money/format-money.ts';
import type { BatchTotals } from '../../domain/payout/result-tally.ts';
import { grouped } from '../../domain/text/grouped.ts';
import { type Html, html, joined, nothing } from './html.ts';
import type { ReportFacts } from './report-facts.ts';

/** What each currency comes to: a ledger whose lines add up to the last one. */
export function moneySection({ sums }: ReportFacts): Html {
  const totals = Object.entries(sums.totals);
  if (totals.length === 0) return nothing;
  return html`<section class="together"><h2>Totals</h2><div class="cards">${totals.map(([currency, each]) => card(currency, each, sums.statuses.invalid))}</div></section>`;
}

type Line = readonly [label: string, minor: bigint];

function card(currency: string, sums: BatchTotals, invalidRows: number): Html {
  const paidMinor = sums.paidNowMinor + sums.paidBeforeMinor;
  const rows = ledger(paidMinor, sums).map(
    ([label, minor]) =>
      html`<tr><th scope="row">${label}</th><td class="num">${plain(minor, currency)}</td></tr>`,
  );
  const allMinor = sums.fileMinor + sums.goneMinor;
  const whole = invalidRows === 0 ? 'In the file' : 'In the valid rows';
  const total = sums.goneMinor === 0n ? whole : 'In all';
  const gone =
    sums.goneMinor === 0n
      ? nothing
      : html`<tr><th scope="row">of it no longer in the file</th><td class="num">${plain(sums.goneMinor, currency)}</td></tr>`;
  return html`<div class="card"><p class="card-title">Paid, ${currency}</p><p class="figure">${plain(paidMinor, currency)}</p>
<table class="ledger"><tbody>${joined(rows)}</tbody><tfoot><tr><th scope="row">${total}</th><td class="num">${plain(allMinor, currency)}</td></tr>${gone}</tfoot></table></div>
`;
}

/** What is on its way or unknown has a line of its own: it must never be read as money that can be paid again. */
function ledger(
  paidMinor: bigint,
  { paidLessMinor, paidMoreMinor, statusMinor }: BatchTotals,
): readonly Line[] {
  const lines: readonly Line[] = [
    ['Paid', paidMinor],
    ['Paid less than the file says, as the service shows it', paidLessMinor],
    ['Paid more than the file says, as the service shows it', -paidMoreMinor],
    ['On the way', statusMinor.pending],
    ['Unknown', statusMinor.unknown],
    ['Not paid: not sent yet', statusMinor.not_sent],
    ['Not paid: held', statusMinor.held],
    ['Not paid: failed', statusMinor.failed],
    ['Not paid: refused', statusMinor.refused],
    ['Not paid: returned', statusMinor.returned],
    ['Not paid: cancelled', statusMinor.cancelled],
  ];
  return lines.filter(([, minor], index) => index === 0 || minor !== 0n);
}

/** Without the currency, which stands above. */
function plain(minor: bigint, currency: string): string {
  const [whole = '', ...fraction] = decimalOf(minor, currency).split('.');
  return [grouped(whole), ...fraction].join('.');
}
