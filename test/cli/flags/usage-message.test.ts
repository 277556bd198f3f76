import { describe, expect, test } from 'vitest';
import { chooseCommand } from '../../../src/cli/commands/choose-command.ts';
import { runPayrun } from '../../support/run-payrun.ts';

/** What a person is told, line by line. */
async function said(...words: string[]): Promise<string[]> {
  try {
    const chosen = await chooseCommand(words);
    throw new Error(`understood: ${JSON.stringify(chosen?.flags)}`);
  } catch (error) {
    expect(error).toMatchObject({ code: 'usage', exit: 2 });
    return (error as Error).message.split('\n');
  }
}

describe('a command line that is not understood', () => {
  test.each([
    ['run', 'Name the file: payrun run FILE'],
    ['retry', 'Name the batch: payrun retry BATCH'],
    ['journal', 'Say what to do: payrun journal move postgres://user@host/database'],
  ])('%s alone is told what it lacks', async (command, expected) => {
    expect(await said(command)).toEqual([expected, `Try: payrun ${command} --help`]);
  });

  test('an unknown flag is named once, with the one that is near', async () => {
    expect(await said('run', 'f', '--max-totl=KES=1')).toEqual([
      'There is no flag --max-totl of payrun run. Did you mean --max-total?',
      'Try: payrun run --help',
    ]);
    expect((await said('run', 'f', '--colour'))[0]).toBe('There is no flag --colour of payrun run.');
    expect(await said('run', 'f', '--colour', '--shape=x')).toEqual([
      'There is no flag --colour of payrun run.',
      'There is no flag --shape of payrun run.',
      'Try: payrun run --help',
    ]);
    expect((await said('run', 'f', '-yes'))[0]).toBe(
      'There is no flag -yes of payrun run. Did you mean --yes?',
    );
    expect((await said('run', 'f', 'g', '--onClose=pay'))[0]).toContain('"g" is one word too many');
  });

  test('a second currency asks for the flag again', async () => {
    expect(await said('run', 'f', '--max-total', 'KES=1', 'UGX=2')).toEqual([
      '"UGX=2" is one word too many. A name with blanks in it needs quotes.',
      'Repeat a flag for each currency, as in --max-total KES=… --max-total UGX=…',
      'Try: payrun run --help',
    ]);
    expect((await said('run', 'my', 'payroll'))[0]).toContain('"payroll" is one word too many');
    expect(await said('run', 'my', 'pay, roll')).toEqual([
      '"pay, roll" is one word too many. A name with blanks in it needs quotes.',
      'Try: payrun run --help',
    ]);
  });

  test('a wrong choice, a missing value and an unknown command', async () => {
    expect((await said('run', 'f', '--on-close', 'maybe'))[0]).toBe(
      '--on-close does not take "maybe". It takes one of: "hold", "pay".',
    );
    expect((await said('keys', 'old'))[0]).toBe('payrun keys does not take "old". It takes one of: "new".');
    expect((await said('completion', 'fish'))[0]).toContain('payrun completion does not take "fish".');
    expect((await said('run', 'f', '--max-total'))[0]).toBe('--max-total needs a value.');
    expect(await said('xyzzy')).toEqual(['There is no command "xyzzy".', 'Try: payrun --help']);
    expect((await said('valdate', 'f'))[0]).toBe('There is no such command. Did you mean validate?');
    expect((await said())[0]).toBe('Say which command: payrun --help lists them.');
  });

  test('a flag of a command that stands before it is told where flags stand', async () => {
    expect(await said('--sandbox', 'run', 'f')).toEqual([
      'Flags come behind the command: payrun run … --sandbox',
      'Try: payrun run --help',
    ]);
    expect(await said('--max-totl=KES=1', 'run', 'f')).toEqual([
      'There is no flag --max-totl of payrun run. Did you mean --max-total?',
      'Try: payrun run --help',
    ]);
  });

  test('is told the same in every language of the machine', async () => {
    for (const LC_ALL of ['fr_FR.UTF-8', 'de_DE.UTF-8']) {
      const ran = await runPayrun(['run', 'f', '--max-totl=KES=1'], { env: { LC_ALL } });
      expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('Did you mean --max-total?')]);
    }
  });
});

describe('a flag without its value', () => {
  const numbers = ['concurrency', 'rate', 'resends', 'allow-repeats', 'allow-shared', 'chunk'];
  const texts = ['workspace', 'config', 'batch', 'plan', 'results', 'timeout', 'deadline', 'encoding'];
  const cases = [
    ...[...numbers, ...texts, 'save-map', 'max-total'].map((flag) => ['run', flag]),
    ['status', 'workspace'],
    ['validate', 'problems'],
    ['plan', 'out'],
    ['log', 'payment'],
  ];

  test.each(cases)('is refused, and not taken for one that is not given: %s --%s', async (command, flag) => {
    const words = [command ?? '', ...(command === 'status' ? [] : ['x'])];
    const expected = `--${flag} needs a value.`;
    expect((await said(...words, `--${flag}`))[0]).toBe(expected);
    expect((await said(...words, `--${flag}`, '--sandbox'))[0]).toBe(expected);
    expect((await said(...words, `--${flag}=`))[0]).toBe(expected);
    expect((await said(...words, `--${flag}`, ''))[0]).toBe(expected);
    expect((await said(`--${flag}=`, ...words))[0]).toBe(expected);
  });

  test('is refused where only some values are taken', async () => {
    const needed = ['--lookup needs a value.', 'Try: payrun run --help'];
    expect(await said('run', 'x', '--lookup')).toEqual(needed);
    expect(await said('run', 'x', '--lookup', '--yes')).toEqual(needed);
    const oneOf = '--on-close needs a value. It takes one of: "hold", "pay".';
    expect((await said('run', 'x', '--on-close'))[0]).toBe(oneOf);
    expect((await said('run', 'x', '--on-close='))[0]).toBe(oneOf);
    expect((await said('validate', 'x', '--decimal', '--json'))[0]).toContain('--decimal needs a value.');
    expect((await said('validate', 'x', '--decimal', 'true'))[0]).toContain(
      '--decimal does not take "true".',
    );
  });

  test('is refused of a command that would make a workspace', async () => {
    expect(await said('init', '--workspace', '')).toEqual([
      '--workspace needs a value.',
      'Try: payrun init --help',
    ]);
  });

  test('is none whose value ends with what stands before values', async () => {
    const chosen = await chooseCommand(['decide', 'may', '--payment=A=', '--paid=abc==', '--reason==']);
    expect(chosen?.flags).toMatchObject({ paid: 'abc==', reason: '=' });
  });

  test('is none that is a switch, or that is counted', async () => {
    const chosen = await chooseCommand(['run', 'x', '--sandbox', '--verbose', '--yes', '--json']);
    expect(chosen?.flags).toMatchObject({ sandbox: true, verbose: 1, yes: true, json: true });
    const last = await chooseCommand(['run', 'x', '--yes', '--verbose']);
    expect(last?.flags).toMatchObject({ verbose: 1, yes: true });
  });

  test('that begins with no is no flag', async () => {
    expect((await said('status', '--no-workspace'))[0]).toContain('There is no flag --no-workspace');
    expect((await said('run', 'x', '--no-rate'))[0]).toContain('There is no flag --no-rate');
  });
});

describe('a flag that is given twice', () => {
  test.each([
    ['run', 'encoding', 'utf-8'],
    ['run', 'file', 'f'],
    ['run', 'notice', '5%'],
    ['run', 'resends', '1'],
    ['run', 'allow-repeats', '1'],
    ['run', 'on-close', 'pay'],
    ['plan', 'out', 'f'],
    ['resume', 'results', 'f'],
    ['retry', 'reason', 'r'],
    ['release', 'verdict', 'close'],
    ['decide', 'paid', 't'],
    ['audit', 'results', 'f'],
    ['status', 'workspace', 'w'],
    ['sandbox', 'port', '1'],
  ])('is refused: %s --%s', async (command, flag, value) => {
    const word = command === 'sandbox' ? [] : ['x'];
    const twice = [`--${flag}`, value, `--${flag}`, value];
    expect(await said(command, ...word, ...twice)).toEqual([`--${flag} is given twice.`]);
    // In front of the command it is the same flag.
    expect(await said(...twice, command, ...word)).toEqual([`--${flag} is given twice.`]);
  });

  test('is a list where each value counts', async () => {
    const chosen = await chooseCommand(['run', 'x', '--max-total', 'KES=1', '--max-total', 'UGX=2']);
    expect(chosen?.flags['max-total']).toEqual(['KES=1', 'UGX=2']);
  });
});

describe('a value that begins with a dash', () => {
  const amounts = ['limit-payout', 'max-total'];
  const sending = ['timeout', 'quiet-period', 'settle-for', 'deadline'];
  const planning = ['repeat-window', 'reserve', 'limit-payout', 'notice', 'batch', 'config', 'workspace'];
  const flagsOf: Readonly<Record<string, readonly string[]>> = {
    run: [...planning, ...sending, ...amounts, 'confirm-total', 'results'],
    plan: [...planning, 'out'],
    validate: ['batch', 'config', 'problems'],
    resume: [...sending, ...amounts, 'results'],
    retry: ['repeat-window', 'reason'],
    release: ['repeat-window', 'reason'],
    sandbox: ['settle-after', 'return-after', 'token-lifetime', 'seed'],
  };
  const cases = Object.entries(flagsOf).flatMap(([command, flags]) => flags.map((flag) => [command, flag]));

  test.each(cases)('is no call for help: %s --%s -5h', async (command = '', flag = '') => {
    const word = command === 'sandbox' ? [] : ['x'];
    const chosen = await chooseCommand([command, ...word, `--${flag}`, '-5h']);
    expect([chosen?.flags[flag]].flat()).toEqual(['-5h']);
  });

  test.each([
    ['run', 'x', '--on-close', '-5h'],
    ['resume', '--max-total', '-x'],
  ])('is refused where nothing like it is taken: %s', async (...words) => {
    expect((await said(...words))[0]).toMatch(/^--on-close does not take |^There is no flag -x /);
  });

  test('is a wrong number where a number is taken', async () => {
    for (const flag of ['concurrency', 'rate', 'resends', 'allow-repeats', 'allow-shared']) {
      const chosen = await chooseCommand(['run', 'x', `--${flag}`, '-5h']);
      expect(chosen?.flags[flag]).toBeNaN();
    }
  });
});
