import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
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

test('a new passphrase is long, and typed twice', async () => {
  const chosen = (...lines: readonly string[]) => newPassphrase(undefined, terminalOf(...lines).terminal);
  expect(await chosen('four plain words\r', 'four plain words\r')).toBe('four plain words');
  await expect(chosen('four plain words\r', 'four plain wordz\r')).rejects.toThrow('differ');
  await expect(chosen('too short\r')).rejects.toThrow('shorter than 12');
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
