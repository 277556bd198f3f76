import { createHash } from 'node:crypto';
import { environmentText } from '../../domain/environment/environment.ts';
import { counted } from '../../domain/text/counted.ts';
import { dayText } from '../../domain/text/day-text.ts';
import { grouped } from '../../domain/text/grouped.ts';
import { maskPayees } from '../../domain/text/mask-numbers.ts';
import { kindOfPlace } from '../../pipeline/results/kind-of-results.ts';
import { reportMark } from '../../pipeline/results/report-mark.ts';
import { paidTwiceLines } from '../paid-twice-lines.ts';
import { attentionSection } from './attention-section.ts';
import { decisionSection } from './decision-section.ts';
import { diffSection } from './diff-section.ts';
import { evidenceSection } from './evidence-section.ts';
import { type Html, html, nothing } from './html.ts';
import { moneySection } from './money-section.ts';
import { nameSection } from './name-section.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import { payoutTable } from './payout-table.ts';
import { railSection } from './rail-section.ts';
import type { ReportFacts } from './report-facts.ts';
import type { ReportRow } from './report-row.ts';
import { statusSection } from './status-section.ts';
import { timeSection } from './time-section.ts';
import { timeIn } from './time-text.ts';

/** More rows make a page that browsers are slow with and nobody reads. The results have them all. */
export const rowsShown = 5000;

/**
 * The report of a batch as one page that needs nothing else, in pieces: however many rows there are, only a few are held
 * at a time. Those who look at it first see where the money moved, then how much, then what is left to do.
 */
export function* reportPage(facts: ReportFacts, pages: Iterable<readonly ReportRow[]>): Generator<string> {
  const style = pageStyle(facts.kind);
  const { name, environment } = facts.batch;
  yield reportMark({ batch: name, kind: kindOfPlace(environment.place) });
  yield head(facts, style).markup;
  const sections = [
    headSection,
    overview,
    attentionSection,
    nameSection,
    railSection,
    timeSection,
    diffSection,
    decisionSection,
    evidenceSection,
  ];
  for (const section of sections) yield section(facts).markup;
  for (const piece of payoutTable(facts, pages, rowsShown)) yield piece.markup;
  yield `</main>\n<script>${pageScript}</script>\n</body>\n</html>\n`;
}

/** Nothing is loaded from anywhere, and no script or style counts but the two of ours, by their hashes. */
function head({ batch, kind }: ReportFacts, style: string): Html {
  const policy = `default-src 'none'; script-src ${hashOf(pageScript)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;
  return html`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${batch.name}, ${kind.toUpperCase()}: payout report</title>
<style>${{ markup: style }}</style>
</head>
<body>
<main>
`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Money and statuses side by side, unless there are several currencies. */
function overview(facts: ReportFacts): Html {
  const isOne = Object.keys(facts.sums.totals).length === 1;
  return html`<div class="${isOne ? 'overview' : 'stacked'}">${moneySection(facts)}${statusSection(facts)}</div>`;
}

const environmentNotes = {
  live: 'real money',
  test: 'no real money moved',
  sandbox: 'no real money moved',
} as const;

function headSection(facts: ReportFacts): Html {
  const { batch, kind, timeZone, paidTwice } = facts;
  const made = timeIn(timeZone)(facts.madeMs);
  const alarm = paidTwiceLines(paidTwice).map((line) => html`<p>${maskPayees(line)}</p>`);
  return html`<header class="head"><div><p class="kicker">Payout report</p><h1>${batch.name}</h1>
<p class="sub">${batch.fileName}, begun on ${dayText(batch.createdMs, timeZone)}. As of ${made}.<br>${environmentText(batch.environment)}</p></div>
<p class="env env-${kind}">${kind.toUpperCase()}<small>${environmentNotes[kind]}</small></p></header>
${alarm.length === 0 ? nothing : html`<div class="alarm" role="alert">${alarm}</div>`}${lead(facts)}
`;
}

/** What a person wants to know first. */
function lead({ sums, rowCount, attention, outOfFile }: ReportFacts): Html {
  const { paid, pending, not_sent: notSent, cancelled } = sums.statuses;
  const rest = [
    ...(attention.count > 0
      ? [`${counted(attention.count, 'row')} ${attention.count === 1 ? 'needs' : 'need'} a person.`]
      : []),
    ...(pending > 0 ? [`${grouped(pending)} on the way.`] : []),
    ...(notSent > 0 ? [`${grouped(notSent)} not sent yet.`] : []),
    ...(cancelled > 0 ? [`${grouped(cancelled)} cancelled.`] : []),
    ...(outOfFile > 0 ? [`${grouped(outOfFile)} taken out of the file.`] : []),
  ];
  const said = rest.length === 0 ? 'Nothing is left to do.' : rest.join(' ');
  return html`<p class="lead">${grouped(paid)} of ${counted(rowCount, 'row')} ${paid === 1 ? 'is' : 'are'} paid.<small>${said}</small></p>`;
}
