import { describe, expect, test } from 'vitest';
import { usageWords } from '../../src/cli/usage-words.ts';

const flags = ['max-total', 'confirm-total', 'sandbox', 'yes'];
const said = (message: string, ...words: string[]) =>
  usageWords({ message, words, command: words[0] === 'xyzzy' ? undefined : words[0], flags }).split('\n');

describe('a command line that is not understood', () => {
  test.each([
    ['run', 'Name the file: payrun run FILE'],
    ['retry', 'Name the batch: payrun retry BATCH'],
  ])('%s alone is told what it lacks', (command, expected) => {
    expect(said('Not enough non-option arguments: got 0, need at least 1', command)).toEqual([
      expected,
      `Try: payrun ${command} --help`,
    ]);
  });

  test('an unknown flag is named once, with the one that is near', () => {
    expect(said('Unknown arguments: max-totl, maxTotl', 'run', 'f', '--max-totl=KES=1')).toEqual([
      'There is no flag --max-totl of payrun run. Did you mean --max-total?',
      'Try: payrun run --help',
    ]);
    expect(said('Unknown argument: colour', 'run', 'f', '--colour')[0]).toBe(
      'There is no flag --colour of payrun run.',
    );
  });

  test('a second currency asks for the flag again', () => {
    const words = ['run', 'f', '--max-total', 'KES=1', 'UGX=2'];
    expect(said('Unknown argument: UGX=2', ...words)[0]).toContain(
      'repeat the flag for each currency, as in --max-total KES=… --max-total UGX=…',
    );
    expect(said('Unknown argument: payroll', 'run', 'my', 'payroll')[0]).toContain('one word too many');
  });

  test('a wrong choice, a missing value and an unknown command', () => {
    const choice = 'Invalid values:\n  Argument: on-close, Given: "maybe", Choices: "hold", "pay"';
    expect(said(choice, 'run')[0]).toBe('--on-close takes hold or pay, not "maybe".');
    expect(said('Not enough arguments following: max-total', 'run')[0]).toBe('--max-total needs a value.');
    expect(said('Unknown argument: xyzzy', 'xyzzy')).toEqual([
      'There is no command "xyzzy".',
      'Try: payrun --help',
    ]);
  });
});
