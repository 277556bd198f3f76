import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest begin first, so that none of them is left to run alone at the end. Without a memory of
 * earlier runs vitest goes by the size of a file, and the longest of these are short. What needs Postgres comes before all
 * else: no core waits for its end, and no process changes from one to the other twice.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? longest.length : place;
    };
    const isElsewhere = ({ project }: TestSpecification) => Number(project.name !== 'on Postgres');
    return rest
      .map((file, index) => ({ file, index }))
      .sort(
        (one, other) =>
          isElsewhere(one.file) - isElsewhere(other.file) ||
          placeOf(one.file) - placeOf(other.file) ||
          one.index - other.index,
      )
      .map(({ file }) => file);
  }
}

export const longest: readonly string[] = [
  'proof/simulator/simulator.test.ts',
  'shared-journal/workers.test.ts',
  'shared-journal/workers-replaced.test.ts',
  'shared-journal/workers-let-go.test.ts',
  'shared-journal/workers-dead-service.test.ts',
  'shared-journal/interrupted-workers.test.ts',
  'shared-journal/lost-postgres.test.ts',
  'shared-journal/workers-together.test.ts',
  'shared-journal/workers-pace.test.ts',
  'shared-journal/move.test.ts',
  'shared-journal/promoted-standby.test.ts',
  'shared-journal/take-over.test.ts',
  'shared-journal/dying-workers.test.ts',
  'shared-journal/frozen-workers.test.ts',
  'shared-journal/cut-off-workers.test.ts',
  'never-twice/rebind-after-refusal.test.ts',
  'proof/crash/crash.test.ts',
  'cli/exit-codes.test.ts',
  'run-again/everything-goes-wrong.test.ts',
  'never-twice/filter-ignored.test.ts',
  'right-payee/names-repeated-by-the-service.test.ts',
  'never-twice/earlier-attempt-not-listed.test.ts',
  'never-twice/another-account-of-one-e-mail.test.ts',
  'security/nothing-given-away.test.ts',
  'package/tarball.test.ts',
  'never-twice/answered-though-done.test.ts',
  'cli/terminal/run-output.test.ts',
  'proof/hostile/hostile.test.ts',
  'changed-file/untouched-cells-keep-their-meaning.test.ts',
  'nothing-unseen/limits.test.ts',
  'never-twice/quiet-period.test.ts',
  'never-twice/refused-after-unknown.test.ts',
  'right-payee/two-batches-one-account.test.ts',
  'never-twice/journal-lost.test.ts',
  'cli/commands/validate.test.ts',
  'proof/damage/damaged-journal.test.ts',
  'never-twice/list-and-read-apart.test.ts',
  'run-again/killed-at-any-moment.test.ts',
];
