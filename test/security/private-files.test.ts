import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openJournal } from '../../src/journal/open-journal.ts';
import { openLog } from '../../src/logger.ts';
import { openStore } from '../../src/sandbox/store/open-store.ts';
import { journalPath, logPath, makeWorkspace } from '../../src/workspace.ts';
import { runPayrun } from '../support/run-payrun.ts';

const file = `paymentId,accountName,country,currency,amount,phoneNumber
P1,Amina Otieno,KE,KES,1001.00,+254712000101
P2,John Kamau,KE,KES,1002.00,+254712099001
P3,Mary Wanjiku,KE,KES,0,+254712000103
`;

/** Files 0600 and folders 0700: everything below a folder that is not so, with its mode. */
function open(folder: string, except: readonly string[] = []): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !except.includes(name))
    .map((name) => ({ name, stats: statSync(join(folder, name)) }))
    .filter(({ stats }) => (stats.mode & 0o777) !== (stats.isDirectory() ? 0o700 : 0o600))
    .map(({ name, stats }) => `${name} ${(stats.mode & 0o777).toString(8)}`);
}

async function under<Value>(umask: number, work: () => Value): Promise<Awaited<Value>> {
  const before = process.umask(umask);
  try {
    return await work();
  } finally {
    process.umask(before);
  }
}

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('whatever the umask, nobody else can read what payrun writes', () => {
  test.each([0o000, 0o077])(
    'results, retry, problems, plan, columns, journal and log under umask %i (in decimal)',
    async (umask) => {
      const folder = freshFolder();
      writeFileSync(join(folder, 'pay.csv'), file);
      const payrun = (...args: string[]) => runPayrun(args, { cwd: folder });
      const paying = ['pay.csv', '--sandbox', '--skip-invalid', '--workspace', 'deep/workspace'];
      const [ran, planned, checked] = await under(umask, () =>
        Promise.all([
          payrun('run', ...paying, '--yes', '--settle-for', '5s'),
          payrun('plan', 'pay.csv', '--sandbox', '--out', 'plan.json'),
          payrun('validate', 'pay.csv', '--problems', 'problems.csv', '--save-map', 'columns.json'),
        ]),
      );
      expect([ran.exit, planned.exit, checked.exit]).toEqual([3, 65, 65]);
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      for (const name of ['pay.results.csv', 'pay.retry.csv', 'plan.json', 'problems.csv', 'columns.json'])
        expect(names).toContain(name);
      for (const name of ['journal-sandbox.db', 'sandbox.db', 'payrun.log', 'locks'])
        expect(names).toContain(join('deep/workspace', name));
      expect(open(folder, ['pay.csv'])).toEqual([]);
    },
  );

  test.each([0o000, 0o077])(
    'the files that SQLite keeps beside its own, while they are in use, under umask %i (in decimal)',
    async (umask) => {
      const workspace = join(freshFolder(), 'workspace');
      await under(umask, () => {
        makeWorkspace(workspace);
        const db = openJournal(journalPath(workspace, 'live'));
        const store = openStore(join(workspace, 'sandbox.db'));
        const log = openLog(logPath(workspace), { command: 'run' });
        onTestFinished(() => {
          db.close();
          store.close();
          log.close();
        });
      });
      const names = readdirSync(workspace);
      expect(names).toEqual(expect.arrayContaining(['journal.db-wal', 'journal.db-shm', 'sandbox.db-wal']));
      expect(open(workspace)).toEqual([]);
    },
  );

  test('a file that others could read before is closed to them when it is written again', async () => {
    const folder = freshFolder();
    const there = (name: string) => {
      writeFileSync(join(folder, name), '', { mode: 0o666 });
      return name;
    };
    writeFileSync(join(folder, 'pay.csv'), file);
    const args = ['validate', 'pay.csv', '--problems', there('problems.csv')];
    const [checked, planned] = await Promise.all([
      runPayrun(args, { cwd: folder }),
      runPayrun(['plan', 'pay.csv', '--sandbox', '--out', there('plan.json')], { cwd: folder }),
    ]);
    expect([checked.exit, planned.exit]).toEqual([65, 65]);
    const workspace = join(folder, 'workspace');
    makeWorkspace(workspace);
    writeFileSync(logPath(workspace), '', { mode: 0o666 });
    openLog(logPath(workspace), { command: 'run' }).close();
    expect(open(folder, ['pay.csv'])).toEqual([]);
  });
});
