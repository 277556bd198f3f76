import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { csvOf, enrolStaff, fastFlags, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { runPayrun, spawnPayrun } from '../../support/run-payrun.ts';
import { watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('a payroll that comes through a pipe, with dedupe %s', (dedupe) => {
  test('is paid once under the batch it is given, and a second time it pays nothing', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    const resultsPath = `${payroll.folder}/november.results.csv`;
    const piped = () => Readable.from([Buffer.from(csvOf(rows))]);

    expect((await payroll.run(piped(), { batch: 'november', resultsPath })).exit).toBe(0);
    expect(await payroll.run(piped(), { batch: 'november' })).toMatchObject({
      exit: 0,
      summary: { sends: 0 },
    });

    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P003 paid']);
    await expectPaidOnce(service, rows);
  });

  test('has its token before the file has come to its end', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    const slow = new Readable({ read() {} });
    const resultsPath = `${payroll.folder}/november.results.csv`;
    const running = payroll.run(slow, { batch: 'november', resultsPath });
    await expect
      .poll(() => service.calls.map(({ path }) => path))
      .toEqual([expect.stringContaining('token')]);
    slow.push(csvOf(rows));
    slow.push(null);

    expect(await running).toMatchObject({ exit: 0, summary: { sends: 3 } });
    await expectPaidOnce(service, rows);
  });
});

describe('payrun run -', () => {
  test('reads stdin, puts the results where it stands, and needs a name for the batch', async () => {
    const service = await startPayrollService();
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    const pipe = async (...args: readonly string[]) => {
      await payroll.store.make();
      const child = spawnPayrun(['run', '-', '--yes', '--max-total', 'KES=9999', ...fastFlags, ...args], {
        cwd: payroll.folder,
        env: payroll.env,
      });
      child.stdin.end(csvOf(rows));
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      child.stdout.resume();
      const exit = await new Promise<number | null>((resolve) => child.on('close', resolve));
      return { exit, stderr };
    };

    const nameless = await pipe();
    expect(nameless.exit).toBe(2);
    expect(nameless.stderr).toContain('--batch');
    expect((await pipe('--batch', 'november')).exit).toBe(0);

    expect(readFileSync(`${payroll.folder}/november.results.csv`, 'utf8')).toContain('P003');
    await expectPaidOnce(service, rows);
  });

  test.each(['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])(
    'needs a name and puts the results where it stands as well where the file is %s',
    async (file) => {
      const service = await startPayrollService();
      const payroll = openPayroll(service);
      const rows = staff(3);
      await enrolStaff(service, rows);
      await payroll.store.make();
      payroll.write('november.csv', rows);
      const piped = (...args: readonly string[]) =>
        runPayrun(['run', file, '--yes', '--max-total', 'KES=9999', ...fastFlags, ...args], {
          cwd: payroll.folder,
          env: payroll.env,
          under: ['/bin/sh', '-c', 'cat november.csv | "$0" "$@"'],
        });
      const nameless = await piped();
      expect(nameless).toMatchObject({ exit: 2 });
      expect(nameless.stderr).toContain('What comes through a pipe has no name.');
      const ran = await piped('--batch', 'december');
      expect(ran).toMatchObject({ exit: 0 });
      expect(readFileSync(`${payroll.folder}/december.results.csv`, 'utf8')).toContain('P003');
      await expectPaidOnce(service, rows);
    },
  );
});
