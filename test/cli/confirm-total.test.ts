import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { confirmAtTerminal } from '../../src/cli/confirm-total.ts';
import type { ExitCode } from '../../src/errors.ts';
import { plannedFile } from '../report/planned-file.ts';
import { knownEnvironment } from '../support/known-environment.ts';

/** Somebody at a terminal who, when asked, types this. */
async function asked(typed: string, interrupted?: ExitCode) {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const controller = new AbortController();
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (!shown.includes('type the amount: ')) return;
    if (interrupted === undefined) input.write(typed);
    else controller.abort();
    typed = '';
  });
  const interrupts = { signal: controller.signal, exit: () => interrupted };
  const planned = {
    ...(await plannedFile()),
    environment: knownEnvironment('https://pay.example/api/b2b me'),
  };
  const terminal = { input, output, interrupts };
  const ended = await confirmAtTerminal(planned, 'LIVE', 'payrun run f', terminal).catch((error) => error);
  return { ended, shown };
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
