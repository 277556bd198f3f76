import { expect, test } from 'vitest';
import { styledText } from '../../../src/cli/terminal/styled-text.ts';

const terminal = { isTTY: true, columns: 60 };
const plain = { NO_COLOR: '1' };

test('on a terminal lines are broken between words, and go on further in', () => {
  const line = `  names: ${'12 match and so on, '.repeat(5)}`.trimEnd();
  const shown = styledText(line, terminal, plain);
  for (const each of shown.split('\n')) expect(each.length).toBeLessThanOrEqual(60);
  expect(shown.split('\n').map((each) => /^ */.exec(each)?.[0].length)).toEqual([2, 4]);
  expect(shown.replaceAll(/\n +/g, ' ')).toBe(line);
  expect(styledText(line, { isTTY: false }, plain)).toBe(line);
});

test('a command stays one line: it is copied into a shell', () => {
  const line = `     payrun run november.retry.csv ${'--map "Net Pay=amount" '.repeat(6)}`;
  expect(styledText(line, terminal, plain)).toBe(line);
});

test('words that nobody may miss have a colour, unless somebody wants none', () => {
  expect(styledText('REFUSED (funds): LIVE', terminal, {})).toBe(
    '\x1b[1m\x1b[31mREFUSED\x1b[39m\x1b[22m (funds): LIVE',
  );
  expect(styledText('LIVE  here', terminal, {})).toContain('\x1b[7mLIVE');
  expect(styledText('LIVE', terminal, { NO_COLOR: '1' })).toBe('LIVE');
  expect(styledText('LIVE', { isTTY: false }, {})).toBe('LIVE');
  expect(styledText('LIVE', { isTTY: false }, { FORCE_COLOR: '1' })).toContain('\x1b[');
  expect(styledText('LIVE', terminal, { FORCE_COLOR: '0' })).toBe('LIVE');
});

test('what came from a file brings no colour of its own', () => {
  expect(styledText('name \x1b[31mred', terminal, {})).not.toContain('\x1b[31m');
});
