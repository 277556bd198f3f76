import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

const waiting = ['cli', 'package', 'samples', 'scenarios', 'proof', 'security'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

/** Only what hangs meets this limit: on a busy machine nothing is late. No test has a limit of its own. */
const hangsAfterMs = 900_000;

/** One process runs many files: the source keeps nothing that a test could see, and loading it outlasts most tests. */
const shared = {
  isolate: false,
  testTimeout: hangsAfterMs,
  hookTimeout: hangsAfterMs,
  expect: { poll: { timeout: 120_000 } },
};

export default defineConfig({
  test: {
    globalSetup: ['test/support/build-once.ts'],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/support/closing-line-reporter.ts'],
    coverage: { provider: 'v8', include: ['src/**'], reporter: ['text-summary', 'html'] },
    projects: [
      {
        // These wait for processes and quiet periods as long as they work: more of them than cores keep the cores busy.
        test: { ...shared, name: 'runs', include: waiting, maxWorkers: 8, sequence: { groupOrder: 0 } },
      },
      {
        test: {
          ...shared,
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: waiting,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
