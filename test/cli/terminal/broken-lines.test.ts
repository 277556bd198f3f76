import { expect, test } from 'vitest';
import { brokenLines } from '../../../src/cli/terminal/broken-lines.ts';

const columns = 60;
const unbroken = (text: string) => text.replaceAll(/\n +/g, ' ');

function lines(text: string, kept: readonly string[] = []): string[] {
  const broken = brokenLines(text, columns, kept);
  expect(unbroken(broken)).toBe(text);
  return broken.split('\n');
}

test('a sentence that speaks of payrun is broken between words, as any other', () => {
  const said = lines(
    'payrun: There is no workspace here, so payrun would not know what was paid before. Otherwise name the right one.',
  );
  expect(said.length).toBe(2);
  for (const line of said) expect(line.length).toBeLessThanOrEqual(columns);
});

test.each([
  [
    'payrun init --workspace /home/somebody/a-long-way-to-it/payrun',
    'If this is the first time, make it with: %',
  ],
  ['payrun validate "pay roll.csv" --map "Net Pay=amount" --sandbox', 'Next: correct the file, then %'],
  [
    "payrun retry november --payment 'E 1' --sandbox",
    'It was cancelled and stays cancelled. To pay it after all: %',
  ],
  ['payrun decide --not-paid', 'Where the service has told you that a payout was not paid, say so with %.'],
  ['payrun results november', 'It is paid by now, and what was written of it is there: % writes it again.'],
])('a command stays whole within what is said: %s', (command, text) => {
  const said = lines(text.replace('%', command));
  expect(said.filter((line) => line.includes(command))).toHaveLength(1);
});

test('what comes behind a command is broken again', () => {
  const said = lines(
    'The way: payrun plan FILE --out PLAN.json --key KEY; then others: payrun approve PLAN.json --key KEY; then payrun run --plan PLAN.json.',
  );
  expect(said.length).toBeGreaterThan(1);
  for (const command of [
    'payrun plan FILE --out PLAN.json --key KEY;',
    'payrun approve PLAN.json --key KEY;',
  ])
    expect(said.filter((line) => line.includes(command))).toHaveLength(1);
});

test('a path stays whole, also one that is longer than the line or has a blank in it', () => {
  const long = `/home/somebody/${'a-long-way/'.repeat(8)}payroll.csv`;
  expect(lines(`payrun: There is no file ${long}. Look for it.`)).toContainEqual(
    expect.stringContaining(long),
  );
  const spaced = '/home/somebody/pay roll/of the year/november.csv';
  expect(lines(`payrun: There is no file to be read at ${spaced}. Look.`, [spaced])).toContainEqual(
    expect.stringContaining(spaced),
  );
});

test('an apostrophe is no quote', () => {
  const said = lines(
    "payrun: it is not this payee's account any more, and nobody knows whose it is: the others' wait.",
  );
  for (const line of said) expect(line.length).toBeLessThanOrEqual(columns);
});

test.each([
  '/home/a b/cash $$ in/november.csv',
  '/home/a b/$& x.csv',
  "/home/a b/x $' y.csv",
  '/home/a b/x $` y.csv',
])('a kept path with dollars in it is shown as it is: %s', (path) => {
  const text = `payrun: There is no file ${path}. Name another one, please, that is there to be read.`;
  const shown = brokenLines(text, 60, [path]);
  expect(shown).toContain(path);
  expect(shown.replaceAll(/\s+/g, ' ')).toBe(text.replaceAll(/\s+/g, ' '));
});
