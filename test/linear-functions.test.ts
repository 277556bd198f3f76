import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { usageMessage } from '../src/cli/flags/usage-message.ts';
import { batchNameFromFile, parseBatchName } from '../src/domain/batch-name.ts';
import { parseDuration } from '../src/domain/duration.ts';
import { minorFromDecimal, minorFromReply } from '../src/domain/money/money.ts';
import { matchNames } from '../src/domain/names/match-names.ts';
import { agreesWithMask } from '../src/domain/payee/masked-number.ts';
import { isSameBank } from '../src/domain/payee/same-bank.ts';
import { restoreDamage } from '../src/domain/restore/spreadsheet-restore.ts';
import { countryFrom } from '../src/domain/row/parse-country.ts';
import { currenciesFrom } from '../src/domain/row/parse-currency.ts';
import { destinationFrom } from '../src/domain/row/parse-destination.ts';
import { readDecimal } from '../src/domain/row/read-decimal.ts';
import { splitAmount } from '../src/domain/row/split-amount.ts';
import { isDateLike } from '../src/domain/row/spreadsheet-damage.ts';
import { validateRow } from '../src/domain/row/validate-row.ts';
import { fields } from '../src/domain/row.ts';
import { cleanText } from '../src/domain/text/clean-text.ts';
import {
  escapeControlCharacters,
  nameControlCharacters,
} from '../src/domain/text/escape-control-characters.ts';
import { fixMojibake } from '../src/domain/text/fix-mojibake.ts';
import { foldText, foldWords } from '../src/domain/text/fold-text.ts';
import { neutralise, removeMark } from '../src/domain/text/formula-mark.ts';
import { maskNumbers } from '../src/domain/text/mask-numbers.ts';
import { nearestText } from '../src/domain/text/nearest-text.ts';
import { readableText } from '../src/domain/text/readable-text.ts';
import { shellWord } from '../src/domain/text/shell-word.ts';
import { unmarkedText } from '../src/domain/text/text-mark.ts';
import { withoutTrailing } from '../src/domain/text/without-trailing.ts';
import { recogniseTextKind } from '../src/file/bytes/file-kind.ts';
import { findHeader, isWholeHeader } from '../src/file/header/find-header.ts';
import {
  currenciesOfAmountHeader,
  fieldOfHeader,
  offeredFieldOf,
  suggestedFieldOf,
} from '../src/file/header/header-aliases.ts';
import { detectDelimiter } from '../src/file/rows/detect-delimiter.ts';
import { countsIn, TrailingLines } from '../src/file/rows/trailing-lines.ts';
import { readRows } from '../src/pipeline/1-read-rows.ts';
import { splitEvent } from '../src/pipeline/results/kind-of-results.ts';
import { concealGiven } from '../src/service/conceal-given.ts';
import { concealSecrets } from '../src/service/conceal-secrets.ts';
import { redactText } from '../src/service/redact-text.ts';
import { saysReferenceUsed } from '../src/service/reference-used.ts';
import { retryAfterMs } from '../src/service/retry-after.ts';
import { mobileRow, plainContext } from './domain/row/judge-row.ts';
import { collectRows } from './file/collect.ts';
import { drawnOfMany } from './support/drawn-tests.ts';
import { growsTooFast } from './support/growth.ts';

/** What is quadratic takes a second for the sixteenth part of it. */
const growth = { largest: 1024 * 1024, noiseMs: 300 };

const texts: Readonly<Record<string, (size: number) => string>> = {
  blanks: (size) => `x${' '.repeat(size)}x`,
  digits: (size) => `${'1'.repeat(size)} x`,
  zeros: (size) => `${'0'.repeat(size)}x`,
  commas: (size) => `${'000,'.repeat(size / 4)}x`,
  quotes: (size) => `"${'"'.repeat(size)}x`,
  letters: (size) => `${'a'.repeat(size)}1.`,
  mixed: (size) => `${'a 1,"('.repeat(size / 6)}\u0000`,
  words: (size) => 'external reference the '.repeat(size / 23),
};

const table = new TrailingLines(new Map([['amount', 0]] as const), 3);
const style = {
  delimiter: ',',
  decimalCommaSeen: false,
  decimalPointSeen: false,
  decimal: undefined,
} as const;
const withoutCard = concealGiven(['4242424242424242', '123', 'a b c d e f']);
const conceal = concealSecrets(['a-secret-of-ours', 'external-ref']);

/** Whatever takes text from a file, a reply or a command line. */
const functions: Readonly<Record<string, (text: string) => unknown>> = {
  agreesWithMask: (text) => agreesWithMask(text, ['254712345678']),
  batchNameFromFile,
  cleanText,
  concealGiven: (text) => withoutCard({ message: text }),
  concealSecrets: (text) => conceal({ message: text }),
  countryFrom,
  countsIn: (text) => countsIn([text]),
  currenciesFrom,
  currenciesOfAmountHeader,
  destinationFrom,
  detectDelimiter: (text) => detectDelimiter(text, []),
  escapeControlCharacters,
  fieldOfHeader,
  findHeader: (text) =>
    findHeader(
      [
        [text, text],
        ['Amount', text],
      ],
      [],
    ),
  foldText,
  foldWords,
  isDateLike,
  isSameBank: (text) => isSameBank(text, '68', 'KE'),
  isWholeHeader: (text) => isWholeHeader(['Name', 'Phone', 'Amount', text], new Map()),
  maskNumbers,
  'matchNames, of the file': (text) => matchNames(text, 'Amina Otieno', {}),
  'matchNames, of the service': (text) => matchNames('Amina Otieno', text, { number: text }),
  minorFromDecimal: (text) => minorFromDecimal(text, 2),
  minorFromReply: (text) => minorFromReply(text, 2),
  nameControlCharacters,
  nearestText: (text) => nearestText(text, ['amount', 'currency']),
  neutralise,
  offeredFieldOf,
  parseBatchName,
  parseDuration,
  redactText: (text) => redactText(text, text.length),
  readDecimal: (text) => readDecimal(text, style),
  readableText,
  recogniseTextKind,
  removeMark,
  'restoreDamage, of what is read': (text) => restoreDamage('0712345678', text),
  'restoreDamage, of what was journaled': (text) => restoreDamage(text, `${text} `),
  retryAfterMs: (text) => retryAfterMs(text, 0),
  saysReferenceUsed: (text) => saysReferenceUsed(undefined, text),
  shellWord,
  splitAmount,
  splitEvent,
  suggestedFieldOf,
  'TrailingLines.kindOf': (text) => table.kindOf([text, text, text], true),
  fixMojibake,
  unmarkedText,
  usageMessage: (text) =>
    usageMessage({ said: text, command: 'run', flags: ['yes'], words: [text, `--${text}`] }),
  validateRow: (text) => {
    for (const field of fields) {
      const values = { ...mobileRow, [field]: text };
      validateRow({ line: 1, cells: [], values, payrun: {} }, plainContext);
    }
  },
  withoutTrailing: (text) => withoutTrailing(text, '0'),
};

const pairs = Object.entries(functions).flatMap(([name, work]) =>
  Object.entries(texts).map(([text, of]) => ({ name, work, text, of })),
);

/** A third of them comes each time. */
test.each(drawnOfMany(pairs))(
  '$name takes time in proportion to the text, of a megabyte of $text',
  ({ work, of }) => {
    expect(growsTooFast((size) => runOf(work, of(size)), growth)).toBe(false);
  },
);

function runOf(work: (text: string) => unknown, text: string): () => void {
  return () => {
    try {
      work(text);
    } catch {
      // To refuse it is an answer; only the time counts here.
    }
  };
}

describe('a file is read in time in proportion to its size', () => {
  const rows = `${Object.keys(mobileRow).join(',')}\n${Object.values(mobileRow).join(',')}\n`;
  const files: Readonly<Record<string, (text: string) => string>> = {
    'its header': (text) => `Amount (KES),${quoted(text)},Name,Phone\n1,2,3,4\n`,
    'a title above it': (text) => `${quoted(text)}\n${rows}`,
    'a cell': (text) => `${rows}P1,${quoted(text)},KE,KES,100.00,0712345678\n`,
    'a line below it': (text) => `${rows}Total,${quoted(text)},,,100.00,\n`,
  };

  test.each(Object.entries(files))('whatever stands in %s', async (_, fileOf) => {
    for (const of of Object.values(texts)) {
      const ms: number[] = [];
      for (const size of [50_000, 200_000, 800_000]) {
        const bytes = Buffer.from(fileOf(of(size)));
        const before = process.cpuUsage();
        const reading = await readRows(Readable.from([bytes]));
        for (const row of await collectRows(reading)) expect(row.line).toBeGreaterThan(0);
        const { user, system } = process.cpuUsage(before);
        ms.push((user + system) / 1000);
        expect(ms.at(-1)).toBeLessThan((ms.at(-2) ?? 25) * 8 + growth.noiseMs);
      }
    }
  });
});

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
