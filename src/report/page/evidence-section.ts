import { environmentText } from '../../domain/environment/environment.ts';
import { dayText } from '../../domain/text/day-text.ts';
import { grouped } from '../../domain/text/grouped.ts';
import { shellWord } from '../../domain/text/shell-word.ts';
import { type Html, html } from './html.ts';
import type { ReportFacts } from './report-facts.ts';
import { timeIn } from './time-text.ts';

/** By what the report can be held against file, journal and service, and room for those who answer for it. */
export function evidenceSection(facts: ReportFacts): Html {
  const { batch, chainEnd, timeZone } = facts;
  const lines: readonly (readonly [label: string, value: string, isCode?: boolean])[] = [
    ['Paid through', environmentText(batch.environment)],
    ['First file', batch.fileName],
    ['SHA-256 of that file', batch.fileDigest === '' ? 'not known' : batch.fileDigest, true],
    ['Begun on', dayText(batch.createdMs, timeZone)],
    ['Last send', batch.lastSendMs === null ? 'nothing was sent' : timeIn(timeZone)(batch.lastSendMs)],
    ['Results of every row', batch.resultsPath, true],
    ['Last event of the journal', grouped(chainEnd.seq)],
    ['Its hash, the head of the chain', chainEnd.hash, true],
    ['Report made', `${timeIn(timeZone)(facts.madeMs)} by ${facts.madeBy}, payrun ${facts.version}`],
    ['Times are those of', timeZone],
  ];
  return html`<section><h2>Evidence</h2><table class="plain evidence"><tbody>${lines.map(
    ([label, value, isCode]) =>
      html`<tr><th scope="row">${label}</th><td>${isCode ? html`<code>${value}</code>` : value}</td></tr>`,
  )}</tbody></table>
<p class="quiet">payrun audit ${shellWord(batch.name)} checks the chain of events; with --results also the results file, with --service also every payout at the service.</p></section>
${signatures()}`;
}

function signatures(): Html {
  const line = (who: string) =>
    html`<div><p class="who">${who}</p><p class="rule">Name</p><p class="rule">Signature</p><p class="rule">Date</p></div>`;
  return html`<section class="signatures"><h2>Signatures</h2><div class="signs">${['Prepared by', 'Checked by', 'Approved by'].map(line)}</div></section>
`;
}
