import { grouped } from '../../domain/text/grouped.ts';
import { type Html, html } from './html.ts';
import type { ReportFacts } from './report-facts.ts';
import { statusKinds, statusOrder } from './status-kinds.ts';

const wide = 1000;
/** What is there is seen, however few of how many they are. */
const narrowest = 6;

/** One bar of all rows, and beside it what each part of it is. */
export function statusSection({ sums, rowCount }: ReportFacts): Html {
  const shown = statusOrder.filter((status) => sums.statuses[status] > 0);
  const widths = shown.map((status) => Math.max(narrowest, (sums.statuses[status] / rowCount) * wide));
  const scale = wide / widths.reduce((sum, width) => sum + width, 0);
  let left = 0;
  const parts = shown.map((status, index) => {
    const width = (widths[index] ?? 0) * scale;
    const part = html`<rect class="s-${status}" x="${left.toFixed(1)}" y="0" width="${Math.max(1, width - 2).toFixed(1)}" height="10"/>`;
    left += width;
    return part;
  });
  const told = shown.map((status) => `${sums.statuses[status]} ${statusKinds[status].label.toLowerCase()}`);
  return html`<section><h2>Statuses</h2>
<svg class="bar" viewBox="0 0 ${wide} 10" preserveAspectRatio="none" role="img" aria-label="${told.join(', ')}">${parts}</svg>
<table class="plain legend"><tbody>${shown.map((status) => legendRow(status, sums.statuses[status], rowCount))}</tbody></table></section>
`;
}

function legendRow(status: (typeof statusOrder)[number], count: number, rowCount: number): Html {
  const { label, means } = statusKinds[status];
  return html`<tr><th scope="row">${statusMark(status)}${label}</th><td class="num">${grouped(count)}</td><td class="num">${percent(count, rowCount)}</td><td class="quiet">${means}</td></tr>`;
}

/** The colour of a status. Its name always stands beside it. */
export function statusMark(status: (typeof statusOrder)[number]): Html {
  return html`<svg class="mark" viewBox="0 0 10 10" aria-hidden="true"><rect class="s-${status}" width="10" height="10" rx="2"/></svg>`;
}

/** Never 100 % of what is not all, never 0 % of what is there. */
export function percent(count: number, of: number): string {
  const share = (count / of) * 100;
  if (count === of) return '100 %';
  if (share > 99.9) return '> 99.9 %';
  if (share < 0.1) return '< 0.1 %';
  return `${share.toFixed(1)} %`;
}
