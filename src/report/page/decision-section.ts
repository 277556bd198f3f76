import { grouped } from '../../domain/text/grouped.ts';
import { maskNumbers, maskPayees } from '../../domain/text/mask-numbers.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { LoggedDecision } from '../../journal/payouts/report-queries.ts';
import { type Html, html, when } from './html.ts';
import type { ReportFacts } from './report-facts.ts';
import { timeIn } from './time-text.ts';

/** Who said what about the batch and its payouts, in the order in which the journal has it. */
export function decisionSection({ decisions, timeZone }: ReportFacts): Html {
  const { count, first } = decisions;
  const timeText = timeIn(timeZone);
  return html`<section><h2>Decisions and approvals</h2>
<div class="wide"><table class="lines"><thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">Payouts</th><th scope="col">What</th><th scope="col" class="num">Event</th></tr></thead>
<tbody>${first.map((decision) => decisionRow(decision, timeText))}</tbody></table></div>${when(
    count > first.length,
    () =>
      html`<p class="note">The first ${grouped(first.length)} of ${grouped(count)} are shown; the journal holds all of them.</p>`,
  )}</section>
`;
}

function decisionRow(
  { seq, atMs, operator, why, payouts, keys }: LoggedDecision,
  timeText: (atMs: number) => string,
): Html {
  return html`<tr><td class="time">${timeText(atMs)}</td><td><bdi>${readableText(operator)}</bdi></td><td class="id">${concerned(payouts, keys)}</td><td class="any">${longer(maskNumbers(why))}</td><td class="num">${grouped(seq)}</td></tr>
`;
}

function concerned(payouts: number, keys: readonly string[]): string {
  if (payouts === 0) return 'the batch';
  const shown = keys.map((key) => readableText(maskPayees(key))).join(', ');
  const more = payouts - keys.length;
  return more > 0 ? `${shown} and ${grouped(more)} more` : shown;
}

const longest = 400;

function longer(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
