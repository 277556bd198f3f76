import { decimalOf } from '../domain/money/format-money.ts';
import type { DraftQueries } from '../journal/draft/draft-queries.ts';
import { problemDocument, repairDocument } from './problem-document.ts';
import { jsonText } from './terminal-text.ts';

/** What `validate --json` prints, piece by piece: a file of a million mistakes must not be held in memory. */
export function* validationPieces(questions: DraftQueries, file: string): Generator<string> {
  const { blocking } = questions.counts();
  const rows = dataRows(questions);
  const totals = Object.fromEntries(
    questions
      .totals('currency')
      .map(({ currency, amountMinor }) => [currency, decimalOf(amountMinor, currency)]),
  );
  const head = jsonText({ ok: blocking === 0, file, rows, totals });
  yield `${head.slice(0, -1)},"problems":[`;
  yield* listPieces(questions.problems(), problemDocument);
  yield '],"repairs":[';
  yield* listPieces(questions.repairs(), repairDocument);
  yield ']}\n';
}

/** Lines that looked like rows and turned out to be totals or column names are nobody's payment. */
export function dataRows(questions: DraftQueries): number {
  const others = questions
    .problemGroups()
    .filter(({ code }) => code === 'total-inside' || code === 'header-second')
    .reduce((sum, group) => sum + group.rows, 0);
  return questions.counts().rows - others;
}

function* listPieces<Item>(items: Iterable<Item>, document: (item: Item) => unknown): Generator<string> {
  let separator = '';
  for (const item of items) {
    yield `${separator}${jsonText(document(item))}`;
    separator = ',';
  }
}
