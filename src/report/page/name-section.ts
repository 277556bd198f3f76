import { grouped } from '../../domain/text/grouped.ts';
import type { VerdictShare } from '../../journal/payouts/report-queries.ts';
import { type Html, html, nothing } from './html.ts';
import type { ReportFacts } from './report-facts.ts';

const verdictWords: Readonly<Record<VerdictShare['verdict'], readonly [label: string, means: string]>> = {
  match: ['Match', 'the account has the name that the file has'],
  close: ['Close', 'nearly the same name'],
  mismatch: ['Mismatch', 'another name'],
  unchecked: ['Unchecked', 'the service could not say whose account it is'],
  'no-account': ['No account', 'the service says that there is no such account'],
  '': ['Not asked', 'no name was asked for'],
};

/** What came of comparing names: the question whether the right people were paid. */
export function nameSection({ verdicts }: ReportFacts): Html {
  if (verdicts.length === 0) return nothing;
  return html`<section><h2>Names on the accounts</h2><div class="wide"><table class="lines"><thead><tr><th scope="col">Verdict</th><th scope="col" class="num">Payouts</th><th scope="col" class="num">Paid</th><th scope="col" class="num">Held for it</th><th scope="col" class="num">Released by a person</th><th scope="col">What it means</th></tr></thead>
<tbody>${verdicts.map(verdictRow)}</tbody></table></div></section>
`;
}

function verdictRow({ verdict, count, paid, held, released }: VerdictShare): Html {
  const [label, means] = verdictWords[verdict];
  return html`<tr><td>${label}</td><td class="num">${grouped(count)}</td><td class="num">${grouped(paid)}</td><td class="num">${grouped(held)}</td><td class="num">${grouped(released)}</td><td class="quiet">${means}</td></tr>`;
}
