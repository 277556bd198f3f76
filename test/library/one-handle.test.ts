import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPayrun, type Payrun, type RunResult } from '../../src/index.ts';

const [first, second] = ['samples/payroll.csv', 'samples/mixed.csv'];

function opened(): { payrun: Payrun; run: (file: string) => Promise<RunResult> } {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-handle-'));
  const payrun = openPayrun({
    workspace: join(folder, 'workspace'),
    service: 'sandbox',
    settings: { settleForMs: 20_000 },
  });
  onTestFinished(async () => {
    await payrun.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = (file: string) => {
    return payrun.run(file, { batch: `b${file.length}`, resultsPath: join(folder, `${file.length}.csv`) });
  };
  return { payrun, run };
}

test('runs and plans of one handle work one after the other, also after one that failed', async () => {
  const { payrun, run } = opened();
  await expect(run('samples/nowhere.csv')).rejects.toMatchObject({ code: 'file-missing' });
  const paid = await run(first);
  expect(paid).toMatchObject({ kind: 'ran', summary: { statuses: { paid: 12 } } });
  expect(paid.planned.drafted.questions.counts().rows).toBe(12);
  expect((await payrun.plan(second)).drafted.questions.counts().rows).toBeGreaterThan(0);
  const again = await run(first);
  expect(await payrun.report(again.planned.drafted.batch.name)).toBeDefined();
  expect(again).toMatchObject({ kind: 'ran', summary: { sends: 0, statuses: { paid: 12 } } });
  expect((await run(second)).kind).toBe('ran');
});

test('what was found of a file is not answered with what another one says', async () => {
  const { payrun } = opened();
  await payrun.init();
  const { questions } = (await payrun.plan(first)).drafted;
  expect(questions.counts().rows).toBe(12);
  await payrun.plan(second);
  expect(() => questions.counts()).toThrow('lives until the next run');
});

test('of two at once, the second is refused in words, and the first pays all', async () => {
  const { payrun, run } = opened();
  const paying = run(first);
  await expect(run(second)).rejects.toMatchObject({ name: 'PayrunError', code: 'handle-busy', exit: 75 });
  await expect(payrun.plan(second)).rejects.toMatchObject({ code: 'handle-busy' });
  expect(await paying).toMatchObject({ kind: 'ran', summary: { statuses: { paid: 12 } } });
  expect((await run(second)).kind).toBe('ran');
});

test('a question that was asked by halves keeps the handle from the next run only as long as it is open', async () => {
  const { payrun, run } = opened();
  await payrun.init();
  const problems = (await payrun.plan('samples/problems.csv')).drafted.questions
    .problems()
    [Symbol.iterator]();
  problems.next();
  await expect(run(first)).rejects.toThrow();
  problems.return?.();
  expect(await run(first)).toMatchObject({ kind: 'ran', summary: { statuses: { paid: 12 } } });
});

test('it is closed once what is under way is over', async () => {
  const { payrun } = opened();
  let closing: Promise<void> | undefined;
  const onEvent = () => {
    closing ??= payrun.close();
  };
  const paid = await payrun.run(first, { resultsPath: join(payrun.workspace, '..', 'paid.csv'), onEvent });
  expect(paid).toMatchObject({ kind: 'ran', summary: { statuses: { paid: 12 } } });
  await closing;
});

test('one that is closed, or being closed, does nothing any more', async () => {
  const { payrun, run } = opened();
  const paying = run(first);
  const closing = payrun.close();
  await expect(run(second)).rejects.toMatchObject({ code: 'handle-closed' });
  expect(await paying).toMatchObject({ kind: 'ran', summary: { statuses: { paid: 12 } } });
  await closing;
  await expect(payrun.plan(second)).rejects.toMatchObject({ code: 'handle-closed' });
});
