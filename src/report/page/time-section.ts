import { counted } from '../../domain/text/counted.ts';
import { grouped } from '../../domain/text/grouped.ts';
import { type Html, html, nothing, when } from './html.ts';
import type { EndedOverTime, ReportFacts } from './report-facts.ts';
import { timeIn } from './time-text.ts';

const high = 100;

/** When payouts ended: paid ones below, those that were not paid on top of them. */
export function timeSection({ ended, timeZone }: ReportFacts): Html {
  if (!ended) return nothing;
  const { firstMs, lastMs, fromMs, stepMs, shares } = ended;
  const steps = Math.floor((lastMs - fromMs) / stepMs) + 1;
  const most = Math.max(...shares.map(({ paid, notPaid }) => paid + notPaid));
  const paid = shares.reduce((sum, share) => sum + share.paid, 0);
  const notPaid = shares.reduce((sum, share) => sum + share.notPaid, 0);
  const timeText = timeIn(timeZone, stepMs < 60_000);
  const told = `${counted(paid, 'payout')} paid${notPaid > 0 ? ` and ${grouped(notPaid)} ended unpaid` : ''} ${whenText(timeText(firstMs), timeText(lastMs))}, at most ${grouped(most)} in ${stepText(stepMs)}`;
  return html`<section class="together"><h2>Payouts over time</h2><p class="quiet">${told}.</p>
<div class="chart"><span class="axis">${grouped(most)}</span><svg viewBox="0 0 ${steps * 10} ${high}" preserveAspectRatio="none" role="img" aria-label="${told}">${bars(ended, most)}</svg></div>
<p class="ends"><span>${timeText(fromMs)}</span><span>${timeText(fromMs + steps * stepMs)}</span></p>
${when(notPaid > 0, () => html`<p class="keys"><svg class="mark" viewBox="0 0 10 10" aria-hidden="true"><rect class="s-paid" width="10" height="10" rx="2"/></svg>Paid <svg class="mark" viewBox="0 0 10 10" aria-hidden="true"><rect class="s-failed" width="10" height="10" rx="2"/></svg>Failed, refused or returned</p>`)}</section>
`;
}

function whenText(first: string, last: string): string {
  return first === last ? `at ${first}` : `between ${first} and ${last}`;
}

function bars({ shares }: EndedOverTime, most: number): Html[] {
  return shares.map(({ bucket, paid, notPaid }) => {
    const paidHigh = (paid / most) * high;
    const otherHigh = (notPaid / most) * high;
    const bar = (kind: 'paid' | 'failed', y: number, height: number) =>
      when(
        height > 0,
        () =>
          html`<rect class="s-${kind}" x="${bucket * 10 + 1}" y="${y.toFixed(1)}" width="8" height="${height.toFixed(1)}"/>`,
      );
    return html`${bar('paid', high - paidHigh, paidHigh)}${bar('failed', high - paidHigh - otherHigh, otherHigh)}`;
  });
}

function stepText(stepMs: number): string {
  const [, unit = 'second', length = 1000] =
    units.map(([word, unitMs]) => [stepMs % unitMs === 0, word, unitMs] as const).find(([fits]) => fits) ??
    [];
  return counted(stepMs / length, unit);
}

const units: readonly (readonly [word: string, unitMs: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];
