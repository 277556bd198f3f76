import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGroupCommit } from '../../src/storage/group-commit.ts';

function openCommits() {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  db.exec('CREATE TABLE words (word TEXT)');
  const add = db.prepare<[string]>('INSERT INTO words VALUES (?)');
  let begun = 0;
  let patienceEnds = () => {};
  let restEnds: (() => void) | undefined;
  let isResting = false;
  const rest = {
    busy: () => () => undefined,
    over: (go: () => void) => {
      if (isResting) restEnds = go;
      else go();
    },
  };
  const commit = createGroupCommit(db, {
    onBegin: () => {
      begun += 1;
    },
    rest,
    patience: () =>
      new Promise((resolve) => {
        patienceEnds = resolve;
      }),
  });
  const say = (word: string, isUrgent: boolean) => commit.write(() => add.run(word).changes, { isUrgent });
  const words = () => db.prepare<[], string>('SELECT word FROM words').pluck().all();
  return {
    ...{ commit, say, words, begun: () => begun, endPatience: () => patienceEnds() },
    beginRest: () => {
      isResting = true;
    },
    endRest: () => restEnds?.(),
  };
}

const aWhile = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};

describe('A write that nobody waits for', () => {
  test('shares the commit of the next that somebody waits for', async () => {
    const { say, words, begun } = openCommits();
    const patient = say('patient', false);
    await aWhile();
    expect(words()).toEqual([]);
    await Promise.all([patient, say('urgent', true)]);
    expect(words()).toEqual(['patient', 'urgent']);
    expect(begun()).toBe(1);
  });

  test('is written when its patience ends, with those that came meanwhile', async () => {
    const { say, words, begun, endPatience } = openCommits();
    const both = [say('first', false), say('second', false)];
    await aWhile();
    endPatience();
    await Promise.all(both);
    expect(words()).toEqual(['first', 'second']);
    expect(begun()).toBe(1);
  });

  test('is written at once where it is hurried', async () => {
    const { commit, say, words } = openCommits();
    const patient = say('patient', false);
    commit.hurry();
    await patient;
    expect(words()).toEqual(['patient']);
  });

  test('makes no commit of its own any more once it has shared one', async () => {
    const { say, begun, endPatience } = openCommits();
    await Promise.all([say('patient', false), say('urgent', true)]);
    endPatience();
    await aWhile();
    expect(begun()).toBe(1);
  });
});

test('who comes while the disk rests shares the next commit', async () => {
  const { say, words, begun, beginRest, endRest } = openCommits();
  await say('before', true);
  beginRest();
  const both = [say('first', true)];
  await aWhile();
  both.push(say('second', true));
  await aWhile();
  expect(words()).toEqual(['before']);
  endRest();
  await Promise.all(both);
  expect(words()).toEqual(['before', 'first', 'second']);
  expect(begun()).toBe(2);
});

test('one that throws is undone alone, and the others happen once', async () => {
  const { commit, say, words } = openCommits();
  const failing = commit.write(() => {
    throw new Error('no');
  });
  const others = [say('one', true), say('two', true)];
  await expect(failing).rejects.toThrow('no');
  await Promise.all(others);
  expect(words()).toEqual(['one', 'two']);
});
