import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { newPassphrase } from '../../../src/cli/setup/signing-keys.ts';
import { askPassphrase } from '../../../src/cli/terminal/ask-passphrase.ts';
import { confirmSums } from '../../../src/cli/terminal/confirm-sums.ts';

/** Somebody who types these lines, one a question, at a terminal that can be silenced. */
function terminalOf(...lines: readonly string[]) {
  const raw: boolean[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => void raw.push(isRaw) });
  const output = new PassThrough();
  const waiting = [...lines];
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (text.endsWith(': ')) input.write(waiting.shift() ?? '\x04');
  });
  return { terminal: { input, output }, shown: () => shown, raw };
}

test('a passphrase is typed unseen, with corrections and letters of every kind', async () => {
  const { terminal, shown, raw } = terminalOf('kahawá\x7fa na chaix\x7f\r');
  expect(await askPassphrase('Passphrase: ', terminal)).toBe('kahawa na chai');
  expect(shown()).toBe('Passphrase: \n');
  expect(raw).toEqual([true, false]);
});

test('Ctrl-C is 130, Ctrl-D declines; the terminal shows again what is typed', async () => {
  const stopped = terminalOf('abc\x03');
  await expect(askPassphrase('Passphrase: ', stopped.terminal)).rejects.toMatchObject({ exit: 130 });
  expect(stopped.raw).toEqual([true, false]);
  await expect(askPassphrase('Passphrase: ', terminalOf('\x04').terminal)).rejects.toMatchObject({ exit: 6 });
});

describe('A new passphrase', () => {
  const [good, other] = ['four plain words\r', 'four plain wordz\r'];

  test('is long, and typed twice', async () => {
    const { terminal, shown } = terminalOf(good, good);
    expect(await newPassphrase(undefined, terminal)).toBe('four plain words');
    expect(shown()).not.toContain('Once more');
  });

  test('is asked for again where it was mistyped or is short', async () => {
    const { terminal, shown } = terminalOf(good, other, 'too short\r', good, good);
    expect(await newPassphrase(undefined, terminal)).toBe('four plain words');
    expect(shown()).toContain('The two passphrases differ. Once more, please.');
    expect(shown()).toContain('shorter than 12 characters');
  });

  test('is asked for three times', async () => {
    const chosen = (...lines: readonly string[]) => newPassphrase(undefined, terminalOf(...lines).terminal);
    const nothing = { code: 'key-not-usable', message: expect.stringContaining('Nothing was written.') };
    await expect(chosen(good, other, good, other, good, other)).rejects.toMatchObject(nothing);
    await expect(chosen('a\r', 'b\r', 'c\r', good, good)).rejects.toMatchObject(nothing);
    await expect(chosen(good, '\x03')).rejects.toMatchObject({ exit: 130 });
  });
});

test('whoever approves types what would be sent, currency by currency', async () => {
  const sums = new Map([
    ['KES', 150000n],
    ['UGX', 7000n],
  ]);
  const typed = (...lines: readonly string[]) => confirmSums(sums, new Map(), terminalOf(...lines).terminal);
  await typed('1,500.00\r', 'UGX 7000\r');
  await typed('1,500.01\r', '1500\r', '7001\r', '7002\r', '7000\r');
  await expect(typed('1500\r', '7001\r', '7002\r', '7003\r')).rejects.toThrow(
    'The amount was not typed. Nothing was approved.',
  );
  await expect(typed('yes\r', 'y\r', 'yes\r')).rejects.toMatchObject({ code: 'declined', exit: 6 });
});
