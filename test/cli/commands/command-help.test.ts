import { expect, test } from 'vitest';
import { commandHelp } from '../../../src/cli/commands/command-help.ts';
import { commandTable } from '../../../src/cli/commands/command-table.ts';
import { runHere } from '../../support/run-here.ts';

const names = Object.keys(commandTable).map((usage) => usage.split(' ')[0] ?? '');

test.each(names)('the help of %s has an example that names it, and its exit codes', async (name) => {
  const help = commandHelp[name];
  expect(help?.examples.length).toBeGreaterThan(0);
  for (const [typed] of help?.examples ?? []) expect(typed).toMatch(new RegExp(`^payrun ${name}\\b`));
  expect(help?.exits).toMatch(/^Exit: /);
});

test('help is shown for a command by either word, without what only a program wants to know', async () => {
  const [flag, word] = [await runHere(['run', '--help']), await runHere(['help', 'run'])];
  expect(word).toEqual(flag);
  expect(flag.stdout).toMatch(
    /^payrun run \[file\]\n\n[^\n]+\n\nExamples:\n {2}payrun run payroll\.csv --sandbox/,
  );
  expect(flag.stdout).toContain('\nConfirming:\n');
  expect(flag.stdout).not.toMatch(/\[array\]|\[boolean\]|\[default: \[\]\]/);
  expect(flag.stdout).toMatch(/\nExit: 0 all paid/);
});

test.each([
  [['list'], 'There is no command "list". Did you mean payrun status?'],
  [['run', 'x.csv', '--dry-run'], 'There is no --dry-run: payrun plan FILE shows what a run would do'],
])('what people type who come from other programs is answered: %s', async (words, said) => {
  const { stderr, exit } = await runHere(words);
  expect(exit).toBe(2);
  expect(stderr).toContain(said);
});
