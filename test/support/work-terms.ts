import type { WorkTerms } from '../../src/journal/chunks.ts';

/** On which a test leaves a batch to workers. */
export const workTerms: WorkTerms = {
  run: 'r',
  quietPeriodMs: 1000,
  resends: 1,
  lookup: 'auto',
  namesMaxAgeMs: 1000,
  lookUpEvery: false,
};
