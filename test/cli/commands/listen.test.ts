import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { spawnPayrun } from '../../support/run-payrun.ts';
import { seededWorkspace } from '../seeded-workspace.ts';

describe('payrun listen', () => {
  test('takes its secret from a file, listens on loopback, and says at its end what came in', async () => {
    const { env, folder, payout, db } = await seededWorkspace([{ key: 'E1' }]);
    const file = `${folder}/secret`;
    writeFileSync(file, 'whsec_of_a_test\n');
    const child = spawnPayrun(['listen', '--port', '0', '--json'], {
      cwd: folder,
      env: { ...env, PAYRUN_WEBHOOK_SECRET_FILE: file },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const body = JSON.stringify({ event: 'e', data: { externalReference: payout('E1').reference } });
    const headers = { 'x-webhook-signature': 'whsec_of_a_test' };
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
    expect(db.prepare('SELECT count(*) FROM hints').pluck().get()).toBe(1);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.kill('SIGTERM');
    const [exit] = await once(child, 'close');
    expect(exit).toBe(0);
    expect(said).toContain('1 hint taken, 0 about payouts of others, 1 refused');
  });

  test('without a secret, or with one that anybody could guess, it does not start', async () => {
    const { payrun } = await seededWorkspace([{ key: 'E1' }]);
    expect((await payrun(['listen', '--port', '0'], { PAYRUN_WEBHOOK_SECRET: 'short' })).exit).toBe(78);
  });
});
