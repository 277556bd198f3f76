import { grouped } from '../../domain/text/grouped.ts';
import { type Html, html, when } from './html.ts';
import type { ReportFacts } from './report-facts.ts';
import type { ReportRow } from './report-row.ts';
import { statusKinds } from './status-kinds.ts';
import { statusMark } from './status-section.ts';

/** Rows that a person must fix or decide about, each with its reason. */
export function attentionSection({ attention, batch }: ReportFacts): Html {
  const { count, first } = attention;
  if (count === 0)
    return html`<section><h2>Rows that need a person</h2><p>None: nothing waits for a correction or a decision.</p></section>
`;
  return html`<section><h2>Rows that need a person (${grouped(count)})</h2>
<div class="wide"><table class="lines"><thead><tr><th scope="col">Payment</th><th scope="col">Name</th><th scope="col">Account</th><th scope="col" class="num">Amount</th><th scope="col">Status</th><th scope="col">Reason</th></tr></thead>
<tbody>${first.map(attentionRow)}</tbody></table></div>${when(
    count > first.length,
    () =>
      html`<p class="note">The first ${grouped(first.length)} of ${grouped(count)} are shown. All of them are in ${batch.resultsPath}.</p>`,
  )}</section>
`;
}

function attentionRow(row: ReportRow): Html {
  const said = when(
    row.resolvedName !== '' && row.status === 'held',
    () => html`; the account is called <bdi>${row.resolvedName}</bdi>`,
  );
  return html`<tr><td class="id">${row.key}</td><td><bdi>${row.name}</bdi></td><td class="id">${row.account}</td><td class="num">${row.amount}</td><td class="status">${statusMark(row.status)}${statusKinds[row.status].label}</td><td>${row.reason}${said}</td></tr>
`;
}
