import { formatMoney } from '../../domain/money/format-money.ts';
import { findCountry } from '../../domain/reference-data/countries.ts';
import { grouped } from '../../domain/text/grouped.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { RailShare } from '../../journal/payouts/report-queries.ts';
import { type Html, html, nothing, when } from './html.ts';
import type { ReportFacts } from './report-facts.ts';
import { railName } from './report-row.ts';

/** Where the money goes: mobile money and banks, the most used first. */
export function railSection({ rails: { count: known, first: rails } }: ReportFacts): Html {
  if (rails.length === 0) return nothing;
  const most = Math.max(...rails.map(({ count }) => count));
  return html`<section><h2>By rail and bank</h2><div class="wide"><table class="lines"><thead><tr><th scope="col">Rail</th><th scope="col">Operator or bank</th><th scope="col">Country</th><th scope="col" class="num">Payouts</th><th scope="col" class="share"><span class="unseen">Share</span></th><th scope="col" class="num">Amount</th><th scope="col" class="num">Of them paid</th><th scope="col" class="num">Amount paid</th></tr></thead>
<tbody>${rails.map((rail) => railRow(rail, most))}</tbody></table></div>${when(
    known > rails.length,
    () => html`<p class="note">The ${grouped(rails.length)} most used of ${grouped(known)} are shown.</p>`,
  )}</section>
`;
}

function railRow(rail: RailShare, most: number): Html {
  const { destination, country, currency, code, count, paid, amountMinor, paidMinor } = rail;
  const name = railName({ destination, country, bankCode: code, operator: code });
  const place = findCountry(country)?.name ?? readableText(country);
  const width = Math.max(1, (count / most) * 100).toFixed(1);
  const bar = html`<svg class="share-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="s-paid" width="${width}" height="10"/></svg>`;
  return html`<tr><td>${destination === 'MoMo' ? 'Mobile money' : 'Bank'}</td><td>${code === '' ? html`<span class="quiet">not named</span>` : name}</td><td>${place}</td><td class="num">${grouped(count)}</td><td class="share">${bar}</td><td class="num">${formatMoney(amountMinor, currency)}</td><td class="num">${grouped(paid)}</td><td class="num">${formatMoney(paidMinor, currency)}</td></tr>
`;
}
