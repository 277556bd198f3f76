import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { lockBatch } from '../../src/journal/batch-lock.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { openLog } from '../../src/logger.ts';
import { openStore } from '../../src/sandbox/store/open-store.ts';
import { journalPath, logPath, makeWorkspace, sandboxStatePath } from '../../src/workspace.ts';
import { runPayrun } from '../support/run-payrun.ts';

const precious = 'somebody else’s\n';

/** A workspace, and beside it a folder that is somebody else's. */
function ground() {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-links-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = join(folder, 'workspace');
  const elsewhere = join(folder, 'elsewhere');
  makeWorkspace(workspace);
  mkdirSync(elsewhere);
  const target = join(elsewhere, 'precious');
  writeFileSync(target, precious);
  const untouched = () => {
    expect(readdirSync(elsewhere)).toEqual(['precious']);
    expect(readFileSync(target, 'utf8')).toBe(precious);
  };
  return { folder, workspace, elsewhere, target, untouched };
}

/** What can stand where payrun would write, so that it would write elsewhere, or wait for ever. */
const inTheWay: Readonly<Record<string, (path: string, place: ReturnType<typeof ground>) => void>> = {
  'a symbolic link': (path, { target }) => symlinkSync(target, path),
  'a link that leads nowhere': (path, { elsewhere }) => symlinkSync(join(elsewhere, 'new'), path),
  'a link to a folder': (path, { elsewhere }) => symlinkSync(elsewhere, path),
  'a hard link': (path, { target }) => linkSync(target, path),
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a folder': (path) => mkdirSync(path),
};

const writers: Readonly<Record<string, (workspace: string) => { path: string; write: () => unknown }>> = {
  journal: (workspace) => ({
    path: journalPath(workspace, 'live'),
    write: () => openJournal(journalPath(workspace, 'live')).close(),
  }),
  'write-ahead log': (workspace) => ({
    path: `${journalPath(workspace, 'live')}-wal`,
    write: () => openJournal(journalPath(workspace, 'live')).close(),
  }),
  'sandbox state': (workspace) => ({
    path: sandboxStatePath(workspace),
    write: () => openStore(sandboxStatePath(workspace)).close(),
  }),
  log: (workspace) => ({
    path: logPath(workspace),
    write: () => openLog(logPath(workspace), { command: 'run' }).close(),
  }),
};

describe('nothing is written through what stands in the way', () => {
  for (const [what, writer] of Object.entries(writers)) {
    for (const [name, put] of Object.entries(inTheWay)) {
      test(`${name} in place of the ${what} is refused, and nothing is written elsewhere`, () => {
        const place = ground();
        const { path, write } = writer(place.workspace);
        put(path, place);
        expect(write).toThrow(expect.objectContaining({ exit: 73 }));
        place.untouched();
      });
    }
  }

  test('nor a lock: none is taken on a file that others have', async () => {
    for (const put of Object.values(inTheWay)) {
      const place = ground();
      (await lockBatch(place.workspace, 'payroll', systemClock)).release();
      const [name = ''] = readdirSync(join(place.workspace, 'locks'));
      const path = join(place.workspace, 'locks', name);
      rmSync(path);
      put(path, place);
      await expect(lockBatch(place.workspace, 'payroll', systemClock)).rejects.toMatchObject({
        code: 'lock-not-writable',
        exit: 73,
      });
      place.untouched();
    }
  });

  test('a lock that is no database any more is said so', async () => {
    const { workspace } = ground();
    (await lockBatch(workspace, 'payroll', systemClock)).release();
    const [name = ''] = readdirSync(join(workspace, 'locks'));
    writeFileSync(join(workspace, 'locks', name), 'x'.repeat(5000));
    await expect(lockBatch(workspace, 'payroll', systemClock)).rejects.toMatchObject({ exit: 73 });
  });

  test('a linked workspace is refused by every command that would write to it, and so are linked locks', async () => {
    const { folder, workspace, elsewhere, untouched } = ground();
    openJournal(journalPath(workspace, 'live')).close();
    symlinkSync(workspace, join(folder, 'link'));
    symlinkSync(join(elsewhere, 'nowhere'), join(folder, 'dangling'));
    writeFileSync(join(folder, 'pay.csv'), 'paymentId,accountName,country,currency,amount,phoneNumber\n');
    const payrun = (...args: string[]) => runPayrun(args, { cwd: folder });
    const refused = await Promise.all([
      payrun('init', '--workspace', 'link'),
      payrun('status', '--workspace', 'link'),
      payrun('run', 'pay.csv', '--sandbox', '--yes', '--workspace', 'link'),
      payrun('run', 'pay.csv', '--sandbox', '--yes', '--workspace', 'dangling'),
      payrun('sandbox', '--port', '0', '--workspace', 'link'),
    ]);
    expect(refused.map(({ exit }) => exit)).toEqual(refused.map(() => 73));
    for (const { stderr } of refused.slice(0, 3)) expect(stderr).toContain('symbolic link');
    rmSync(join(workspace, 'locks'), { recursive: true });
    symlinkSync(elsewhere, join(workspace, 'locks'));
    expect(() => makeWorkspace(workspace)).toThrow(/symbolic link/);
    expect(existsSync(join(elsewhere, 'journal.db'))).toBe(false);
    untouched();
  });

  test('the settings of a new workspace are not written through a link', async () => {
    const { folder, workspace, elsewhere, untouched } = ground();
    symlinkSync(join(elsewhere, 'new'), join(workspace, 'payrun.config.json'));
    const { exit } = await runPayrun(['init', '--workspace', workspace], { cwd: folder });
    expect(exit).toBe(0);
    untouched();
  });
});
