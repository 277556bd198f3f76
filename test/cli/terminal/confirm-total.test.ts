import { PassThrough } from 'node:stream';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Terminal } from '../../../src/cli/terminal/ask-at-terminal.ts';
import { confirmRebind } from '../../../src/cli/terminal/confirm-rebind.ts';
import { confirmTotal } from '../../../src/cli/terminal/confirm-total.ts';
import type { ExitCode } from '../../../src/errors.ts';
import { plannedFile } from '../../report/planned-file.ts';
import { knownEnvironment } from '../../support/known-environment.ts';

beforeEach(() => {
  vi.stubEnv('NO_COLOR', '1');
  return () => vi.unstubAllEnvs();
});

/** Somebody at a terminal who, when asked, types this. */
async function answered<Value>(
  question: string,
  typed: string,
  ask: (terminal: Terminal) => Promise<Value>,
  interrupted?: ExitCode | 'deadline',
  then: string[] = [],
) {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const controller = new AbortController();
  let shown = '';
  let asked = 1;
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (shown.split(question).length <= asked) return;
    asked += 1;
    if (interrupted === undefined) input.write(typed);
    else controller.abort();
    typed = then.shift() ?? '';
  });
  const exit = interrupted === 'deadline' ? undefined : interrupted;
  const interrupts = { signal: controller.signal, exit: () => exit };
  const ended = await ask({ input, output, interrupts }).catch((error) => error);
  return { ended, shown };
}

async function asked(typed: string, interrupted?: ExitCode | 'deadline', then: string[] = []) {
  const planned = {
    ...(await plannedFile()),
    environment: knownEnvironment('https://pay.example/api/b2b me'),
  };
  const ask = (terminal: Terminal) => confirmTotal(planned, 'LIVE', 'payrun run f', terminal);
  return answered('type the amount: ', typed, ask, interrupted, then);
}

test('the person is shown which service it is, and types the amount', async () => {
  const { ended, shown } = await asked('1,000.00\r');
  expect(ended).toBe(true);
  expect(shown).toContain('LIVE  https://pay.example/api/b2b me');
  expect(shown).not.toContain('NO SERVICE');
  expect((await asked('KES 1000\r')).ended).toBe(true);
  expect(shown).toContain('LIVE: 1 payment, KES 1,000.00, goes out now.\n');
});

test('another amount is said, and asked for twice more', async () => {
  const slip = await asked('1000.01\r', undefined, ['\u001b[2Jyes\r', '1000\r']);
  expect(slip.ended).toBe(true);
  expect(slip.shown).toContain('You typed "1000.01", not KES 1,000.00. Once more, or Ctrl-C:');
  expect(slip.shown).not.toContain('typed "\u001b');
  const never = await asked('yes\r', undefined, ['yes\r', 'yes\r', '1000\r']);
  expect(never.ended).toBe(false);
  expect(never.shown.match(/You typed "yes"/g)).toHaveLength(3);
});

test('Ctrl-C right behind the amount, in the same moment, is no confirmation (130)', async () => {
  const { ended } = await asked('1,000.00\r\u0003');
  expect(ended).toMatchObject({ code: 'declined', exit: 130 });
});

test('what is held for its name is not asked for: what goes out now is typed', async () => {
  const planned = await plannedFile([
    'E1,Mary Wanjiku,KE,KES,1000,0712345678',
    'E2,Ann Otieno,KE,KES,500,0712345679',
  ]);
  const names = {
    counts: { match: 1, close: 0, mismatch: 1, unchecked: 0, 'no-account': 0 },
    first: [],
    held: [{ currency: 'KES', rows: 1, amountMinor: 500_00n }],
    unanswered: 0,
  };
  const view = { funds: [], payees: { known: 0, new: 2 }, names, aboveLimit: [] };
  const ask = (terminal: Terminal) => confirmTotal({ ...planned, view }, 'LIVE', 'payrun run f', terminal);
  const { ended, shown } = await answered('type the amount: ', '1000\r', ask);
  expect(ended).toBe(true);
  expect(shown).toContain('LIVE: 1 payment, KES 1,000.00, goes out now; KES 500.00 in 1 payment held.\n');
  expect(shown).toContain('To pay KES 1,000.00, type the amount: ');
});

test('Ctrl-D declines; Ctrl-C is 130; a signal from elsewhere has its own exit code', async () => {
  expect((await asked('\x04')).ended).toBe(false);
  const message = 'Not confirmed: nothing was accepted and nothing was sent.';
  expect((await asked('\x03')).ended).toMatchObject({ code: 'declined', exit: 130, message });
  expect((await asked('', 143)).ended).toMatchObject({ code: 'declined', exit: 143, message });
});

test('a deadline that passes while the question stands is said (6)', async () => {
  const { ended } = await asked('', 'deadline');
  expect(ended).toMatchObject({ code: 'declined', exit: 6, message: expect.stringContaining('--deadline') });
});

test('that another account is the batch’s own takes a whole yes', async () => {
  const question = { batch: 'may', changed: 'the e-mail was a and is b now', found: 2 };
  const said = (typed: string) =>
    answered('type yes', typed, (terminal) => confirmRebind(question, terminal));
  const { ended, shown } = await said('yes\r');
  expect(ended).toBe(true);
  expect(shown).toContain('the e-mail was a and is b now. This account shows 2 payouts');
  expect((await said('y\r')).ended).toBe(false);
  expect((await said('\x04')).ended).toBe(false);
});
