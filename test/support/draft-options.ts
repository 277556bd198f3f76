import type { DraftOptions } from '../../src/pipeline/draft/draft-options.ts';

/** How a test reads a file where it says nothing else: on the morning of 12 November 2026. */
export const draftDefaults: DraftOptions = {
  banks: {},
  allowShared: 0,
  batch: undefined,
  batchOtherwise: 'unnamed',
  timeZone: () => 'UTC',
  nowMs: Date.UTC(2026, 10, 12, 8),
  repeatWindowMs: 5 * 24 * 3_600_000,
};
