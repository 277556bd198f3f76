import { expect, test } from 'vitest';
import { nextCommand } from '../../../src/cli/flags/next-command.ts';
import { planCommand } from '../../../src/cli/flags/plan-file-flags.ts';
import { planFlags } from '../../../src/cli/flags/plan-flags.ts';

test('a next command says again every flag that shapes the plan, and where it is paid', () => {
  const names = Object.keys(planFlags);
  const flags = { file: 'nov.csv', ...Object.fromEntries(names.map((name) => [name, 'x'])) };

  const words = nextCommand('run', flags).split(' ');

  expect(words.slice(0, 3)).toEqual(['payrun', 'run', 'nov.csv']);
  // These two only write what is found down.
  expect(names.filter((name) => !words.includes(`--${name}`))).toEqual(['save-map', 'problems']);
});

test('a file whose name begins with a dash, and one with a blank, can be copied into a shell', () => {
  expect(nextCommand('run', { file: '-x.csv' })).toBe('payrun run ./-x.csv');
  expect(nextCommand('run', { file: 'my file.csv' })).toBe("payrun run 'my file.csv'");
});

test('what came through a device of this moment is no file of the next command', () => {
  expect(nextCommand('run', { file: '/dev/fd/63' })).toBe('payrun run FILE');
  expect(nextCommand('run', { file: '-' })).toBe('payrun run -');
});

test('what is paid by a plan of a pipe is named with it', () => {
  const by = (file: string) =>
    planCommand({ file, plan: 'p.json', workspace: undefined, config: undefined, sandbox: false });
  expect(by('/dev/fd/63')).toBe('payrun run FILE --plan p.json');
  expect(by('-')).toBe('payrun run FILE --plan p.json');
  expect(by('nov.csv')).toBe('payrun run --plan p.json');
});
