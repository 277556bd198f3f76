import type { Reporter, TestModule } from 'vitest/node';
import { drawnWithDedupe, isWholeWanted, longFiles, scenarioFiles } from './drawn-tests.ts';

/**
 * Names every skipped test with its reason, and closes with one plain line of counts. With PAYRUN_TEST_ALL=1, as in
 * continuous integration, a skipped test is a failure: nothing may be missing there.
 */
class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const skipped: string[] = [];
    for (const module of modules) {
      if (module.state() === 'failed' && module.children.size === 0) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') counts.passed += 1;
        else if (state === 'failed') counts.failed += 1;
        else {
          counts.skipped += 1;
          skipped.push(`${module.relativeModuleId}: ${test.fullName}`);
        }
      }
    }
    counts.failed += unhandledErrors.length;
    tellDrawn(modules);
    for (const name of skipped) console.log(`skipped: ${name}`);
    if (process.env['PAYRUN_TEST_ALL'] === '1' && counts.skipped > 0) {
      console.log('PAYRUN_TEST_ALL=1: a skipped test counts as a failure');
      process.exitCode = 1;
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}

/** Which parts were drawn, and how to have the same again. */
function tellDrawn(modules: readonly TestModule[]): void {
  const seed = process.env['PAYRUN_TEST_SEED'];
  if (seed === undefined || isWholeWanted()) return;
  const ran = (project: string) =>
    modules
      .filter((module) => module.project.name === project)
      .map(({ relativeModuleId }) => relativeModuleId);
  const part = (of: readonly string[], among: readonly string[]) =>
    `${of.filter((file) => among.includes(file)).length} of ${of.length}`;
  const scenarios = scenarioFiles();
  const shared = ran('on Postgres');
  console.log(
    `drawn by PAYRUN_TEST_SEED=${seed}: at a service that refuses used references ${part(scenarios, drawnWithDedupe(Number(seed)))} files of scenarios, on Postgres ${part(scenarios, shared)} and ${part(longFiles, shared)} long ones (PAYRUN_TEST_WHOLE=1 takes all)`,
  );
}

export default ClosingLineReporter;
