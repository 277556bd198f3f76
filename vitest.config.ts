import { defineConfig } from 'vitest/config';
import { schemaOfJournal } from './scripts/schema-of-journal.ts';
import {
  drawnLong,
  drawnOnPostgres,
  isWholeWanted,
  longFiles,
  scenarioFiles,
  seedOfRun,
} from './test/support/drawn-tests.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { findPostgres } from './test/support/postgres.ts';

/** What is held against a journal in Postgres: scenarios once more, and what only such a journal has. */
const seed = seedOfRun();
const scenarios = isWholeWanted() ? scenarioFiles() : drawnOnPostgres(seed);
const onPostgres = [...scenarios, 'test/shared-journal/**/*.test.ts'];
const notDrawn = isWholeWanted() ? [] : longFiles.filter((file) => !drawnLong(seed).includes(file));

/** Only what hangs meets this limit: on a busy machine nothing is late. No test has a limit of its own. */
const hangsAfterMs = 900_000;

/** One process runs many files: the source keeps nothing that a test could see, and loading it outlasts most tests. */
const shared = {
  isolate: false,
  testTimeout: hangsAfterMs,
  hookTimeout: hangsAfterMs,
  expect: { poll: { timeout: 120_000 } },
};

/** As in the command that is built: some thousand journals are made, and each would go through all migrations. */
const define = { journalSchema: JSON.stringify(schemaOfJournal()) };

export default defineConfig({
  test: {
    globalSetup: ['test/support/build-once.ts'],
    sequence: { sequencer: LongestFirst },
    // What one project has transformed the others need not.
    experimental: { fsModuleCache: true },
    reporters: ['default', './test/support/closing-line-reporter.ts'],
    coverage: { provider: 'v8', include: ['src/**'], reporter: ['text-summary', 'html'] },
    projects: [
      {
        // Many wait for processes and quiet periods as long as they work: more of them than cores keep the cores busy.
        define: { ...define },
        test: {
          ...shared,
          name: 'here',
          include: ['test/**/*.test.ts'],
          exclude: ['test/shared-journal/**/*.test.ts'],
          maxWorkers: 8,
        },
      },
      {
        define: { ...define },
        test: {
          ...shared,
          name: 'on Postgres',
          include: findPostgres() === undefined ? ['test/shared-journal/postgres-found.test.ts'] : onPostgres,
          // There the journal is not on the disk that is full: what a server that fails does is tried by killing it.
          exclude: ['test/scenarios/run-again/disk-full.test.ts', ...notDrawn],
          env: { PAYRUN_TEST_STORE: 'postgres' },
          globalSetup: ['test/support/start-postgres.ts'],
          maxWorkers: 8,
        },
      },
    ],
  },
});
