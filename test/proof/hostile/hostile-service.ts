import { PayrunError } from '../../../src/errors.ts';
import { seededChance } from '../../support/chance.ts';
import type { Campaign } from '../campaign.ts';
import { claimsOf, judge, type Violation } from '../oracle.ts';
import { timeLimit } from '../time-limit.ts';
import { type HostileReply, hostileReplies } from './hostile-replies.ts';
import { startLyingService } from './lying-service.ts';
import { apiKey, meantRows, type RanAgainst, runAgainst } from './run-against.ts';
import { isLiveFormula, telltaleIn } from './telltale.ts';

/** Bounded by its own time-outs, a run of three rows is over long before, on the busiest machine. */
const longestMs = 300_000;
const mostMegabytes = 600;
const lanes = 4;

export const hostileService: Campaign = {
  name: 'hostile-service',
  title: 'Replies that are huge, deep, slow, forged, redirected or another payee’s, at every endpoint',
  atLeast: { 'hostile replies': 200 },
  async run({ seed, share, say }) {
    const chance = seededChance(seed);
    const replies = hostileReplies().filter(() => share >= 1 || chance() < share);
    const violations: Violation[] = [];
    let peakMegabytes = 0;
    const waiting = [...replies];
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (let reply = waiting.shift(); reply; reply = waiting.shift()) {
          violations.push(...(await throwReply(reply)));
          peakMegabytes = Math.max(peakMegabytes, process.memoryUsage().rss / 1024 / 1024);
        }
      }),
    );
    say(`${replies.length} hostile replies; at most ${Math.round(peakMegabytes)} MB`);
    if (peakMegabytes > mostMegabytes)
      violations.push({
        kind: 'crash',
        replay: `seed ${seed}`,
        text: `took ${Math.round(peakMegabytes)} MB`,
      });
    return { counts: { 'hostile replies': replies.length }, violations };
  },
};

export async function throwReply({ name, lie }: HostileReply): Promise<Violation[]> {
  const place = { decoy: '' };
  const service = await startLyingService((asked) => lie(place.decoy)(asked));
  place.decoy = service.decoyUrl;
  const replay = `reply "${name}"`;
  try {
    const ran = await timeLimit(longestMs, runAgainst(service.url));
    if (!ran) return [{ kind: 'stuck', replay, text: `did not end within ${longestMs} ms` }];
    const claimed = ran.results && claimsOf(ran.results);
    return [
      ...judge({ replay, meant: meantRows, ledger: service.ledger, claimed, finished: false }),
      ...troubles(ran, service.decoyed).map(([kind, text]) => ({ kind, replay, text })),
    ];
  } finally {
    await service.close();
  }
}

function troubles(ran: RanAgainst, decoyed: readonly string[]): [Violation['kind'], string][] {
  const found: [Violation['kind'], string][] = [];
  if (ran.error !== undefined && !(ran.error instanceof PayrunError))
    found.push(['crash', String((ran.error as Error).stack ?? ran.error).slice(0, 600)]);
  if (ran.exit === 0) found.push(['lie', 'exit 0, and nothing was paid']);
  if (decoyed.length > 0) found.push(['leak', `a redirect was followed: ${decoyed[0]}`]);
  if (Object.hasOwn(Object.prototype, 'success') || 'transactionId' in {})
    found.push(['crash', 'the prototype of all objects was changed']);
  const telltale = telltaleIn(ran.logText.replaceAll('\\u001b', ''));
  if (telltale !== undefined) found.push(['leak', `the log holds ${telltale}`]);
  for (const [what, text] of [
    ['log', ran.logText],
    ['results', ran.resultsText],
    ['error', String(ran.error ?? '')],
  ] as const) {
    for (const secret of [apiKey, 'a-token-of-the-lying-service'])
      if (text.includes(secret)) found.push(['leak', `the ${what} holds a secret`]);
    if (text.length > 1024 * 1024) found.push(['leak', `the ${what} has ${text.length} letters`]);
  }
  for (const row of ran.results ?? []) {
    for (const [column, cell] of Object.entries(row)) {
      if (isLiveFormula(cell)) found.push(['leak', `a live formula in ${column}: ${cell.slice(0, 100)}`]);
      if (column.startsWith('payrun_') && /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(cell))
        found.push(['leak', `a sign that acts in ${column}: ${JSON.stringify(cell.slice(0, 100))}`]);
    }
  }
  return found;
}
