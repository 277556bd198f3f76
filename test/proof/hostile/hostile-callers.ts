import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../../src/clock.ts';
import { createJournal } from '../../../src/journal/journal.ts';
import { openEmptyJournal } from '../../../src/journal/open-journal.ts';
import { openWebhookHints } from '../../../src/journal/webhook-hints.ts';
import { createWebhookListener } from '../../../src/listen/webhook-listener.ts';
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts';
import { seededChance } from '../../support/chance.ts';
import { seedBatch } from '../../support/seed-journal.ts';
import type { Campaign } from '../campaign.ts';
import type { Violation } from '../oracle.ts';
import { crowd, post, slowClients } from './callers.ts';

const secret = 'whsec_of_the_hostile_campaign';
const whole = { wrong: 2_000, forged: 2_000, connections: 3_000, slow: 180 };

export const hostileCallers: Campaign = {
  name: 'hostile-callers',
  title:
    'Listener and sandbox: wrong secrets, forged and repeated webhooks, large bodies, slow clients, crowds',
  atLeast: { 'wrong secrets': 2_000, 'forged webhooks': 2_000, connections: 6_000 },
  async run({ seed, share, say }) {
    const violations: Violation[] = [];
    const blame = (text: string) => violations.push({ kind: 'leak', replay: `seed ${seed}`, text });
    const count = (of: keyof typeof whole) => Math.ceil(whole[of] * share);
    await throwAtListener(seed, count, blame);
    say('the listener stands');
    await throwAtSandbox(seed, count, blame);
    say('the sandbox stands');
    return {
      counts: {
        'wrong secrets': 2 * count('wrong'),
        'forged webhooks': count('forged'),
        connections: 2 * count('connections'),
        'slow clients': 2 * count('slow'),
      },
      violations,
    };
  },
};

type Count = (of: keyof typeof whole) => number;
type Blame = (text: string) => void;

async function throwAtListener(seed: number, count: Count, blame: Blame): Promise<void> {
  const db = openEmptyJournal();
  const { payout } = await seedBatch(
    db,
    ['E1', 'E2', 'E3'].map((key) => ({ key, state: 'submitted', changes: { transactionId: `T${key}` } })),
  );
  const journal = createJournal(db, systemClock, { run: 'listen', operator: 'proof' });
  const server = createWebhookListener(secret, openWebhookHints(db, journal, systemClock), {
    hints: 0,
    strange: 0,
    refused: 0,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const payouts = () => JSON.stringify(db.prepare('SELECT * FROM payouts ORDER BY id').all());
  const before = payouts();
  const right = { 'x-webhook-signature': secret };
  const honest = JSON.stringify({
    event: 'transaction_updated',
    data: { externalReference: payout('E1').reference, status: 'successful' },
  });
  try {
    for (const wrong of wrongSecrets(secret, seed, count('wrong'))) {
      const status = await post(url, honest, { 'x-webhook-signature': wrong });
      if (status === 200) blame(`the listener took the secret ${JSON.stringify(wrong.slice(0, 60))}`);
    }
    if (db.prepare('SELECT count(*) FROM hints').pluck().get() !== 0) blame('a wrong secret left a hint');
    const chance = seededChance(seed + 5);
    const words = forgedWords(payout('E2').reference);
    for (let index = 0; index < count('forged'); index += 1) {
      const word = () => words[Math.floor(chance() * words.length)];
      const data = { externalReference: word(), transactionId: word(), status: word(), amount: word() };
      await post(url, JSON.stringify({ event: word(), data, timestamp: word() }), right);
    }
    if ((await post(url, `{"event":"e","data":{},"x":"${'x'.repeat(8_000_000)}"}`, right)) === 200)
      blame('the listener took a body of 8 MB');
    await besiege('the listener', port, () => post(url, honest, right), count, blame);
    if (payouts() !== before) blame('a webhook moved a payout by itself');
    const hints = db.prepare<[], string>('SELECT reference FROM hints').pluck().all();
    const ours = [payout('E1').reference, payout('E2').reference];
    if (!hints.every((hint) => ours.includes(hint))) blame(`there are hints about others: ${hints.join()}`);
  } finally {
    server.close();
    server.closeAllConnections();
    db.close();
  }
}

async function throwAtSandbox(seed: number, count: Count, blame: Blame): Promise<void> {
  const sandbox = await startSandbox();
  const port = Number(new URL(sandbox.url).port);
  const exchange = `${sandbox.url}/api/b2b/auth/generate-bearer-token`;
  const body = JSON.stringify({ publicKey: sandbox.publicKey });
  const honestly = () =>
    post(exchange, body, { 'api-key': sandbox.apiKey, 'content-type': 'application/json' });
  try {
    for (const wrong of wrongSecrets(sandbox.apiKey, seed, count('wrong'))) {
      const control = `${sandbox.url}/_sandbox/people`;
      const statuses = [
        await post(exchange, body, { 'api-key': wrong }),
        await post(control, '[]', { 'api-key': wrong }),
      ];
      if (statuses.includes(200)) blame(`the sandbox took the key ${JSON.stringify(wrong.slice(0, 60))}`);
    }
    if (
      (await post(exchange, `{"publicKey":"${'x'.repeat(8_000_000)}"}`, { 'api-key': sandbox.apiKey })) ===
      200
    )
      blame('the sandbox took a body of 8 MB');
    await besiege('the sandbox', port, honestly, count, blame);
  } finally {
    await sandbox.close();
  }
}

/** While slow clients hold on and after a crowd has gone, an honest caller is heard. */
async function besiege(
  who: string,
  port: number,
  honestly: () => Promise<number>,
  count: Count,
  blame: Blame,
): Promise<void> {
  const slow = await slowClients(port, count('slow'));
  if ((await honestly()) !== 200) blame(`${who} hears nobody while ${count('slow')} slow clients hold on`);
  slow.leave();
  await crowd(port, count('connections'));
  // Those who were turned away leave a moment later than they came.
  for (let tries = 1; (await honestly()) !== 200; tries += 1) {
    if (tries === 50) return blame(`${who} hears nobody after a crowd of ${count('connections')}`);
    await systemClock.sleep(100);
  }
}

/** Of every length, and as like the right one as can be. */
function* wrongSecrets(right: string, seed: number, count: number): Generator<string> {
  yield* ['', ' ', right.slice(1), right.slice(0, -1), `${right}x`, `${right}${right}`, right.toUpperCase()];
  yield* [`${right},${right}`, `Bearer ${right}`, 'x'.repeat(15_000), 'null', 'undefined', '[object Object]'];
  const chance = seededChance(seed + 3);
  for (let index = 0; index < count; index += 1) {
    const letters = [...right].slice(0, 1 + Math.floor(chance() * 40));
    const at = Math.floor(chance() * letters.length);
    letters[at] = String.fromCharCode(33 + (((letters[at]?.charCodeAt(0) ?? 33) - 32) % 94));
    yield letters.join('');
  }
}

function forgedWords(reference: string): readonly unknown[] {
  return [
    reference,
    reference.toUpperCase(),
    `${reference}' OR '1'='1`,
    '../../x',
    '%',
    '_',
    '',
    'successful',
    'failed',
    'TE2',
    null,
    0,
    -1,
    1e308,
    true,
    [],
    {},
    { __proto__: { status: 'successful' } },
    'x'.repeat(5_000),
    '\u001b[2J\u202e\u0000',
  ];
}
