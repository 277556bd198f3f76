import { describe, expect, test } from 'vitest';
import { createBackgroundWrites } from '../../../src/pipeline/run/background-writes.ts';

/** A journal whose commits a test makes. */
function slowJournal() {
  const waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];
  let hurried = 0;
  const journal = {
    unhurried: <Value>(begin: () => Value) => begin(),
    hurry: () => {
      hurried += 1;
    },
  };
  const write = () => new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }));
  const commit = () => {
    for (const { resolve } of waiting.splice(0)) resolve();
  };
  return { journal, write, commit, waiting, hurried: () => hurried };
}

async function hasEnded(promise: Promise<unknown>): Promise<boolean> {
  let ended = false;
  promise.then(
    () => {
      ended = true;
    },
    () => {
      ended = true;
    },
  );
  await new Promise(setImmediate);
  return ended;
}

describe('A write that only records', () => {
  test('is not waited for', async () => {
    const { journal, write, waiting } = slowJournal();
    const writes = createBackgroundWrites(journal);
    expect(await hasEnded(writes.add(write))).toBe(true);
    expect(waiting).toHaveLength(1);
  });

  test('is waited for at the end of a stage, which hurries it', async () => {
    const { journal, write, commit, hurried } = slowJournal();
    const writes = createBackgroundWrites(journal);
    await writes.add(write);
    const done = writes.done();
    expect(await hasEnded(done)).toBe(false);
    expect(hurried()).toBeGreaterThan(0);
    commit();
    expect(await hasEnded(done)).toBe(true);
  });

  test('is waited for where a slow disk has too many of them', async () => {
    const { journal, write, commit, waiting } = slowJournal();
    const writes = createBackgroundWrites(journal);
    let last = Promise.resolve();
    for (let count = 0; count < 2_000 && (await hasEnded(last)); count += 1) last = writes.add(write);
    expect(waiting.length).toBeLessThan(1_000);
    expect(await hasEnded(last)).toBe(false);
    commit();
    expect(await hasEnded(last)).toBe(true);
  });

  test('that fails stops whoever comes next, and the stage', async () => {
    const { journal, write, waiting } = slowJournal();
    const writes = createBackgroundWrites(journal);
    await writes.add(write);
    waiting[0]?.reject(new Error('disk full'));
    await expect(writes.done()).rejects.toThrow('disk full');
    await expect(writes.add(async () => undefined)).rejects.toThrow('disk full');
  });
});
