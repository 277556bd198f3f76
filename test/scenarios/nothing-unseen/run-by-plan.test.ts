import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openPayrun } from '../../../src/index.ts';
import { journalUrlFor } from '../../support/journal-store.ts';
import { runInProcess } from '../../support/run-in-process.ts';

const header = 'paymentId,accountName,country,currency,amount,phoneNumber';
const mary = 'E1,Mary Wanjiku,KE,KES,1500.00,+254700000001';
const peter = 'E2,Peter Mutua,KE,KES,2500.50,+254712000002';

let folder = '';
let where: readonly string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payrun-by-plan-'));
  where = ['--sandbox', '--workspace', join(folder, 'workspace')];
  vi.stubEnv('PAYRUN_JOURNAL_URL', journalUrlFor(join(folder, 'workspace')));
  onTestFinished(() => void vi.unstubAllEnvs());
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function written(name: string, ...rows: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${[header, ...rows].join('\n')}\n`);
  return path;
}

const payrun = (...words: readonly string[]) => runInProcess([...words, ...where]);
const planOf = async (file: string, ...flags: readonly string[]) => {
  const out = join(folder, 'plan.json');
  expect(await payrun('plan', file, '--out', out, ...flags)).toMatchObject({ exit: 0 });
  return out;
};

describe('run --plan', () => {
  test('pays what the plan says with the flags it was made with, carries on, and is said as the next step', async () => {
    const file = written('november.csv', mary, peter, 'E3,,KE,KES,1,+254712000003');
    const out = join(folder, 'plan.json');
    const planned = await payrun('plan', file, '--out', out, '--skip-invalid', '--batch', 'pay-{yyyy}');
    expect(planned.stdout).toMatch(/Next: payrun run --plan \S*plan\.json --workspace \S+ --sandbox\n$/);
    const paid = await payrun('run', '--plan', out, '--yes', '--json');
    expect(JSON.parse(paid.stdout)).toMatchObject({
      batch: `pay-${new Date().getFullYear()}`,
      statuses: { paid: 2, invalid: 1 },
    });
    // The same command again, as after a kill.
    const again = await payrun('run', '--plan', out, '--yes', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({
      statuses: { paid: 2 },
      totals: { KES: { paidNow: '0.00', paidBefore: '4000.50' } },
    });
  });

  test('refuses a file, settings or flags that are not those of the plan, and says which', async () => {
    const file = written('november.csv', mary, peter);
    const out = await planOf(file);
    const other = await payrun('run', '--plan', out, '--yes', '--on-mismatch', 'pay');
    expect(other).toMatchObject({ exit: 2 });
    expect(other.stderr).toContain('leave out --on-mismatch');

    written('november.csv', mary, peter.replace('2500.50', '9500.50'));
    const moved = await payrun('run', '--plan', out, '--yes');
    expect(moved).toMatchObject({ exit: 6 });
    expect(moved.stdout).toContain('REFUSED (plan-moved): This is not what the plan says:');
    expect(moved.stdout).toContain('The file was changed since.');
    expect(moved.stdout).toContain('KES 11,000.50 would be sent now; the plan says KES 4,000.50.');

    written('november.csv', mary, peter);
    writeFileSync(join(folder, 'workspace', 'payrun.config.json'), '{"onMismatch":"pay"}');
    const loosened = await payrun('run', '--plan', out, '--yes');
    expect(loosened).toMatchObject({ exit: 6 });
    expect(loosened.stdout).toContain('Which rows are paid or held is set otherwise');
    writeFileSync(join(folder, 'workspace', 'payrun.config.json'), '{"repeatWindow":"1h"}');
    expect((await payrun('run', '--plan', out, '--yes')).stdout).toContain(
      'count as repeated is set otherwise',
    );
    writeFileSync(join(folder, 'workspace', 'payrun.config.json'), '{}');
    expect(await payrun('run', '--plan', out, '--yes')).toMatchObject({ exit: 0 });
  });

  test('refuses a plan of a batch that has taken in another file since, also one that it had taken in before', async () => {
    const file = written('november.csv', mary);
    const first = await planOf(file);
    const firstText = readFileSync(first, 'utf8');
    expect(await payrun('run', '--plan', first, '--yes')).toMatchObject({ exit: 0 });
    written('november.csv', mary, peter);
    expect(await payrun('run', file, '--yes')).toMatchObject({ exit: 0 });
    written('november.csv', mary);
    writeFileSync(first, firstText);
    const replayed = await payrun('run', '--plan', first, '--yes');
    expect(replayed).toMatchObject({ exit: 6 });
    expect(replayed.stdout).toContain('Another file was accepted into the batch since.');
  });

  test('is what the library does with the text of a plan; a text that is no plan is 65, a missing file 66', async () => {
    const file = written('november.csv', mary);
    const plan = readFileSync(await planOf(file), 'utf8');
    const workspace = join(folder, 'workspace');
    const opened = openPayrun({ workspace, journalUrl: journalUrlFor(workspace), service: 'sandbox' });
    onTestFinished(() => opened.close());
    await expect(opened.run(file, { plan: '{}' })).rejects.toMatchObject({ code: 'not-a-plan', exit: 65 });
    const other = written('other.csv', mary);
    expect(await opened.run(other, { plan })).toMatchObject({ kind: 'refused', planned: { exit: 6 } });
    expect(await payrun('run', '--plan', join(folder, 'none.json'), '--yes')).toMatchObject({ exit: 66 });
    expect(await payrun('run', '--yes')).toMatchObject({ exit: 2 });
  });
});
