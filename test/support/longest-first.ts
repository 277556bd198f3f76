import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest begin first, so that none of them is left to run alone at the end. Without a memory of
 * earlier runs vitest goes by the size of a file, and the longest of these are short.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? longest.length : place;
    };
    return rest
      .map((file, index) => ({ file, index }))
      .sort((one, other) => placeOf(one.file) - placeOf(other.file) || one.index - other.index)
      .map(({ file }) => file);
  }
}

const longest = [
  'proof/simulator/simulator.test.ts',
  'scenarios/filter-ignored.test.ts',
  'proof/crash/crash.test.ts',
  'package/tarball.test.ts',
  'cli/exit-codes.test.ts',
  'scenarios/quiet-period.test.ts',
  'scenarios/killed-at-any-moment.test.ts',
  'cli/run-output.test.ts',
  'scenarios/refused-after-unknown.test.ts',
  'scenarios/limits.test.ts',
  'scenarios/journal-lost.test.ts',
  'proof/hostile/hostile.test.ts',
  'scenarios/everything-goes-wrong.test.ts',
  'security/nothing-given-away.test.ts',
  'scenarios/earlier-attempt-pays-late.test.ts',
  'proof/damage/damaged-journal.test.ts',
  'cli/validate.test.ts',
];
