import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { expectNothingTwice, expectPaidOnce, expectResultsAgree } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const weather = [
  'lost-request=0.04',
  'lost-reply=0.08',
  'late-landing=0.08',
  'late-by=700ms',
  'error-500=0.04',
  'error-500-after=0.06',
  'html=0.05',
  'cut-body=0.05',
  'slow=0.03',
  'slow-by=2600ms',
  'storm-429=0.01',
  'storm-401=0.03',
  'storm-length=3',
  'retry-after=0.1',
].join(',');

const certain = [
  'storm-429',
  'html',
  'storm-401',
  'cut-body',
  'error-500-after',
  'late-landing',
  'lost-reply',
];
const seeds = ['7', '11', '23'];
const mostRuns = 40;
/** Some pending, stopped early, not reachable, credentials refused: all of them say, run it again. */
const runAgain = [4, 5, 69, 77];

describe.each(dedupeModes)(
  'Lost and late replies, 5xx, pages, cut bodies and storms, dedupe %s',
  (dedupe) => {
    test('all at once, and still every row is paid once, by running it again', async () => {
      const services = await Promise.all(seeds.map((seed) => payThrough(dedupe, seed)));

      const ends = new Set(services.flatMap(({ codes }) => codes));
      for (const code of [
        'connection-lost',
        'server-error',
        'reply-not-json',
        'unauthorised',
        'too-many-requests',
        'timed-out',
      ])
        expect(ends, `no payout met ${code}`).toContain(code);
      for (const { service, rows } of services) await expectPaidOnce(service, rows);
    });
  },
);

/** Runs it again until it is done, and has the service looked at after every run. */
async function payThrough(dedupe: Dedupe, seed: string) {
  const service = await startPayrollService(dedupe);
  const payroll = openPayroll(service);
  const rows = staff(20);
  await enrolStaff(service, rows);
  const file = payroll.write('november.csv', rows);
  await service.faults(weather, seed);
  // Chance may spare the payouts themselves: each of these meets some of them in any case.
  for (const fault of certain) await service.control('POST', 'answers', { endpoint: 'createPayout', fault });
  const settings = { timeoutMs: 2_000, quietPeriodMs: 4_000, resends: 10 };
  /** Patient, as payrun is: a plan asks about everybody, and one question without an answer would be its end. */
  const readRetry = { attempts: 8, totalMs: 60_000 };

  const exits: number[] = [];
  while (exits.at(-1) !== 0 && exits.length < mostRuns) {
    const { exit } = await payroll.run(file, { clock: systemClock, settings, readRetry });
    exits.push(exit);
    await expectNothingTwice(service, rows);
  }

  expect(exits.at(-1), `exits ${exits} of seed ${seed}`).toBe(0);
  expect(exits.slice(0, -1).filter((exit) => !runAgain.includes(exit))).toEqual([]);
  await expectResultsAgree(service, payroll.results('november'));
  const codes = await payroll.ask((db) => db.prepare<[], string>('SELECT code FROM sends').pluck().all());
  return { service, rows, codes };
}
