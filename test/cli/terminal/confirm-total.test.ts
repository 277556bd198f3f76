import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Terminal } from '../../../src/cli/terminal/ask-at-terminal.ts';
import { confirmRebind } from '../../../src/cli/terminal/confirm-rebind.ts';
import { confirmTotal } from '../../../src/cli/terminal/confirm-total.ts';
import type { ExitCode } from '../../../src/errors.ts';
import { plannedFile } from '../../report/planned-file.ts';
import { knownEnvironment } from '../../support/known-environment.ts';

/** Somebody at a terminal who, when asked, types this. */
async function answered<Value>(
  question: string,
  typed: string,
  ask: (terminal: Terminal) => Promise<Value>,
  interrupted?: ExitCode,
) {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const controller = new AbortController();
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (!shown.includes(question)) return;
    if (interrupted === undefined) input.write(typed);
    else controller.abort();
    typed = '';
  });
  const interrupts = { signal: controller.signal, exit: () => interrupted };
  const ended = await ask({ input, output, interrupts }).catch((error) => error);
  return { ended, shown };
}

async function asked(typed: string, interrupted?: ExitCode) {
  const planned = {
    ...(await plannedFile()),
    environment: knownEnvironment('https://pay.example/api/b2b me'),
  };
  const ask = (terminal: Terminal) => confirmTotal(planned, 'LIVE', 'payrun run f', terminal);
  return answered('type the amount: ', typed, ask, interrupted);
}

test('the person is shown which service it is, and types the amount', async () => {
  const { ended, shown } = await asked('1,000.00\r');
  expect(ended).toBe(true);
  expect(shown).toContain('LIVE  https://pay.example/api/b2b me');
  expect(shown).not.toContain('NO SERVICE');
  expect((await asked('KES 1000\r')).ended).toBe(true);
  expect((await asked('1000.01\r')).ended).toBe(false);
  expect((await asked('yes\r')).ended).toBe(false);
});

test('Ctrl-D declines; Ctrl-C is 130; a signal from elsewhere has its own exit code', async () => {
  expect((await asked('\x04')).ended).toBe(false);
  const message = 'Not confirmed: nothing was accepted and nothing was sent.';
  expect((await asked('\x03')).ended).toMatchObject({ code: 'declined', exit: 130, message });
  expect((await asked('', 143)).ended).toMatchObject({ code: 'declined', exit: 143, message });
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
