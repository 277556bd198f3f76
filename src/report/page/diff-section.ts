import { formatMoney } from '../../domain/money/format-money.ts';
import { maskDifferingNumbers } from '../../domain/payee/mask-differing-numbers.ts';
import { counted } from '../../domain/text/counted.ts';
import { dayText } from '../../domain/text/day-text.ts';
import { grouped } from '../../domain/text/grouped.ts';
import { maskNumbers } from '../../domain/text/mask-numbers.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { DiffAccount, DiffAmount, DiffGroup } from '../../journal/draft/previous-run-diff.ts';
import { type Html, html, nothing, when } from './html.ts';
import type { ReportFacts } from './report-facts.ts';

/** How the batch differs from the one before it that paid the same people. */
export function diffSection({ diff, timeZone }: ReportFacts): Html {
  if (!diff)
    return html`<section><h2>Compared with the last batch</h2><p>The journal holds no earlier batch that paid the same people.</p></section>
`;
  const groups = [
    diffGroup('joined', diff.joined, money),
    diffGroup('left', diff.left, money),
    diffGroup('with another account', diff.accountChanged, account),
    diffGroup(`whose amount changed by more than ${diff.noticePercent}%`, diff.amountChanged, money),
    diffGroup('paid to an account that was under another name', diff.oneAccount, shownName),
  ].filter(({ markup }) => markup !== '');
  const changes =
    groups.length === 0
      ? html`<p>The same people and accounts; no amount changed by more than ${diff.noticePercent}%.</p>`
      : html`<div class="wide"><table class="lines diff"><thead><tr><th scope="col">Name</th><th scope="col" class="num">Before</th><th scope="col" class="num">Now</th></tr></thead>${groups}</table></div>`;
  return html`<section><h2>Compared with batch ${diff.previousBatch} of ${dayText(diff.previousMs, timeZone)}</h2>${changes}</section>
`;
}

type Show<Value> = (value: Value, other: Value | undefined) => string;

function diffGroup<Value>(title: string, { count, first }: DiffGroup<Value>, show: Show<Value>): Html {
  if (count === 0) return nothing;
  const rows = first.map(
    ({ name, before, after }) =>
      html`<tr><td><bdi>${shownName(name)}</bdi></td><td class="num">${before === undefined ? '' : show(before, after)}</td><td class="num">${after === undefined ? '' : show(after, before)}</td></tr>`,
  );
  const more = count - first.length;
  const rest = when(
    more > 0,
    () => html`<tr><td colspan="3" class="quiet">and ${grouped(more)} more</td></tr>`,
  );
  return html`<tbody><tr class="group"><th scope="rowgroup" colspan="3">${counted(count, 'person', 'people')} ${title}</th></tr>${rows}${rest}</tbody>
`;
}

const money: Show<DiffAmount> = ({ currency, amountMinor }) => formatMoney(amountMinor, currency);

/** Where the last digits agree, a person must still see that it is another account. */
const account: Show<DiffAccount> = ({ bankCode, number }, other) => {
  const [shown] = maskDifferingNumbers(number, other?.number ?? number);
  return `${readableText(bankCode)} ${shown}`.trim();
};

function shownName(name: string): string {
  return readableText(maskNumbers(name));
}
