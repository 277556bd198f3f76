import { grouped } from '../../domain/text/grouped.ts';
import { type Html, html } from './html.ts';
import type { ReportFacts } from './report-facts.ts';
import type { ReportRow } from './report-row.ts';
import { statusKinds } from './status-kinds.ts';
import { statusMark } from './status-section.ts';
import { timeIn } from './time-text.ts';

/** All rows as far as a page can show them, a piece for each page of the journal. Works without the script as well. */
export function* payoutTable(
  facts: ReportFacts,
  pages: Iterable<readonly ReportRow[]>,
  rowsShown: number,
): Generator<Html> {
  const { rowCount, batch, timeZone } = facts;
  const timeText = timeIn(timeZone);
  const bound =
    rowCount > rowsShown
      ? `The first ${grouped(rowsShown)} of ${grouped(rowCount)} rows are shown. All of them are in ${batch.resultsPath}.`
      : `All ${grouped(rowCount)} rows, in the order in which they first came. A line is that of the newest file that has the row. Account numbers show their last four digits.`;
  yield html`<section class="annex"><h2>Payouts</h2><p class="note">${bound}</p>
<div class="tools" id="tools" hidden><label for="search">Search</label><input id="search" type="search" autocomplete="off" placeholder="name, payment, status, bank …"></div><p class="quiet" id="found" role="status"></p>
<div class="wide"><table class="lines" id="payouts"><thead><tr><th scope="col" class="num">Line</th><th scope="col">Payment</th><th scope="col">Name</th><th scope="col">Account</th><th scope="col">Operator or bank</th><th scope="col" class="num">Amount</th><th scope="col">Status</th><th scope="col">Name check</th><th scope="col">Ended</th><th scope="col">Transaction</th></tr></thead>
<tbody>`;
  let left = rowsShown;
  for (const page of pages) {
    const shown = page.slice(0, left);
    left -= shown.length;
    yield html`${shown.map((row) => payoutRow(row, timeText))}`;
    if (left === 0) break;
  }
  yield html`</tbody></table></div></section>
`;
}

function payoutRow(row: ReportRow, timeText: (atMs: number) => string): Html {
  const { line, settledMs } = row;
  const ended =
    settledMs === null
      ? html`<td></td>`
      : html`<td class="time" data-sort="${settledMs}">${timeText(settledMs)}</td>`;
  return html`<tr><td class="num">${line}</td><td class="id">${row.key}</td><td><bdi>${row.name}</bdi></td><td class="id">${row.account}</td><td>${row.rail}</td><td class="num" data-sort="${row.amountSort}">${row.amount}</td><td class="status">${statusMark(row.status)}${statusKinds[row.status].label}</td><td>${row.verdict}</td>${ended}<td class="id">${row.transaction}</td></tr>
`;
}
