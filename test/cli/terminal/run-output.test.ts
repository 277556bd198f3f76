import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { runDocumentSchema } from '../../../src/report/schemas/run-document-schema.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import {
  employee,
  enrolStaff,
  openPayroll,
  type Payroll,
  patientFlags,
  phoneOf,
  staff,
} from '../../support/pay-run.ts';
import { type PayrollService, startPayrollService } from '../../support/payroll-service.ts';

const rows = staff(2);
const paying = ['--yes', '--max-total', 'KES=99999', ...patientFlags] as const;
const refusal = z.object({
  error: z.strictObject({ code: z.string().min(1), message: z.string().min(1), exit: z.number().int() }),
});

async function opened(people = rows): Promise<{ service: PayrollService; payroll: Payroll }> {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  await enrolStaff(service, people);
  payroll.write('november.csv', people);
  return { service, payroll };
}

const firstLine = (text: string) => text.split('\n')[0];
const today = () =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(Date.now());

/** Has a process take its input and its errors for a terminal. */
const atTerminal = `data:text/javascript,${encodeURIComponent(
  'for (const stream of [process.stdin, process.stderr]) stream.isTTY = true; process.stderr.columns = 80;',
)}`;
/** From there on nothing is wiped out again. */
const wipedOut = '\u001b[0J';

describe('what payrun says', () => {
  test('at a terminal the word of the service stays on the screen, also where the service is down', async () => {
    const { payroll } = await opened();
    const env = { PAYRUN_BASE_URL: 'http://127.0.0.1:9', NODE_OPTIONS: `--import=${atTerminal}` };
    const { exit, stderr } = await payroll.payrun(['run', 'november.csv', '--timeout', '1s'], env);
    expect(exit, stderr).toBe(69);
    expect(stderr).toContain(wipedOut);
    expect(stderr.slice(stderr.lastIndexOf(wipedOut))).toContain('LIVE');
  });

  test('the summary goes to stdout, everything else to stderr, and its first line says which service it is', async () => {
    const { service, payroll } = await opened();
    const live = await payroll.payrun(['run', 'november.csv', ...paying]);
    expect(live.exit).toBe(0);
    expect(firstLine(live.stderr)).toBe('LIVE');
    expect(live.stdout).not.toContain('LIVE');
    expect(live.stdout).toMatch(/^Batch november\n {2}paid now {2}2 {2}KES 2,003\.00\nResults: /);

    const prefix = { PAYRUN_API_PREFIX: '/api/sandbox/b2b' };
    const rehearsal = await payroll.payrun(
      // Its accounts are there already, and their names prove nothing to a journal that did not store them.
      ['run', 'november.csv', '--batch', 'rehearsal', ...paying, '--on-unchecked', 'pay'],
      prefix,
    );
    expect(rehearsal.exit).toBe(0);
    expect(firstLine(rehearsal.stderr)).toBe('TEST');

    // The rehearsal has a journal of its own: it neither repeats the live batch nor is known to it.
    const known = await payroll.payrun(['status', '--json']);
    expect(known.stdout).toContain('november');
    expect(known.stdout).not.toContain('rehearsal');

    const embedded = ['--sandbox', '--workspace', 'embedded', '--results', 'embedded.csv'];
    const sandbox = await payroll.payrun([
      'run',
      'november.csv',
      '--yes',
      '--settle-for',
      '60s',
      ...embedded,
    ]);
    expect(sandbox.exit).toBe(0);
    expect(firstLine(sandbox.stderr)).toBe('SANDBOX');
    expect(await service.payouts()).toHaveLength(4);
  });

  test('--json is one document on stdout, whichever way it ends', async () => {
    const failing = employee(2, { phoneNumber: phoneOf(2, '99001') });
    const { service, payroll } = await opened([employee(1), failing]);
    const json = async (...args: string[]) => {
      const ended = await payroll.payrun([...args, '--json']);
      return { exit: ended.exit, document: JSON.parse(ended.stdout) as unknown };
    };

    const ran = await json('run', 'november.csv', ...paying);
    expect(ran.exit).toBe(3);
    expect(runDocumentSchema.parse(ran.document)).toEqual({
      kind: 'run',
      batch: 'november',
      environment: `${service.url}/api/b2b payroll@example.com`,
      exit: 3,
      statuses: { paid: 1, failed: 1 },
      totals: {
        KES: {
          file: '2003.00',
          paidNow: '1001.00',
          paidBefore: '0.00',
          left: '1002.00',
          onTheWay: '0.00',
          unknown: '0.00',
        },
      },
      results: `${payroll.folder}/november.results.csv`,
      retry: `${payroll.folder}/november.retry.csv`,
      journal: { event: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });

    const resumed = await json('resume', 'november', ...patientFlags);
    expect(runDocumentSchema.parse(resumed.document)).toMatchObject({
      exit: 3,
      totals: { KES: { paidNow: '0.00', paidBefore: '1001.00' } },
    });
    const status = await json('status', 'november');
    expect(runDocumentSchema.parse(status.document)).toMatchObject({
      kind: 'status',
      batch: 'november',
      exit: 3,
    });

    payroll.write('copy.csv', [employee(1)]);
    payroll.write('wrong.csv', [employee(1, { amount: 'much' })]);
    const refusals: readonly [string[], number, string][] = [
      [['run', 'copy.csv', ...paying], 6, 'repeats'],
      [['run', 'wrong.csv', ...paying], 65, 'file-invalid'],
      [['run', 'missing.csv', ...paying], 66, 'file-missing'],
      [['resume', 'nothing'], 2, ''],
    ];
    for (const [args, exit, code] of refusals) {
      const refused = await json(...args);
      const { error } = refusal.parse(refused.document);
      expect(error.exit, args.join(' ')).toBe(refused.exit);
      if (code !== '') expect(error).toMatchObject({ code, exit });
    }
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
  });

  test('--quiet says nothing when all went well, and is never silent about paying nobody', async () => {
    const { service, payroll } = await opened();
    const command = ['run', 'november.csv', ...paying];
    expect(await payroll.payrun([...command, '--quiet'])).toEqual({ exit: 0, stdout: '', stderr: '' });

    const again = await payroll.payrun([...command, '--quiet']);
    const said = `Batch november: nothing was paid: all 2 were paid on ${today()}\n`;
    expect(again).toEqual({ exit: 0, stdout: said, stderr: '' });

    const aloud = await payroll.payrun(command);
    expect(aloud.stdout.startsWith(said)).toBe(true);
    expect(aloud.stdout).toMatch(/paid now +0 {2}KES +0\.00\n +paid before +2 {2}KES 2,003\.00\n/);
    await expectPaidOnce(service, rows);
  });

  test('--quiet is not quiet about trouble', async () => {
    const failing = employee(2, { phoneNumber: phoneOf(2, '99001') });
    const { payroll } = await opened([employee(1), failing]);
    const ran = await payroll.payrun(['run', 'november.csv', ...paying, '--quiet']);
    expect(ran.exit).toBe(3);
    expect(ran.stdout).toContain('not paid: failed  1  KES');
    const again = await payroll.payrun(['run', 'november.csv', ...paying, '--quiet']);
    expect(again.exit).toBe(3);
    expect(again.stdout).toContain(`nothing was paid: 1 of 2 was paid on ${today()}`);
  });

  test('dates are those of the user’s time zone', async () => {
    const { payroll } = await opened();
    const command = ['run', 'november.csv', ...paying, '--quiet'];
    await payroll.run(payroll.write('november.csv', rows));
    // Twenty-five hours lie between these two, so that one of them has another date than UTC.
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const day = new Intl.DateTimeFormat('en-GB', {
        timeZone,
        day: 'numeric',
        month: 'long',
        year: 'numeric',
      });
      const again = await payroll.payrun(command, { TZ: timeZone });
      expect(again.stdout).toContain(`all 2 were paid on ${day.format(Date.now())}`);
    }
  });
});
