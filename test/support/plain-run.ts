import type { Policy } from '../../src/domain/policy.ts';
import type { RunBatchOptions } from '../../src/pipeline/run/run-options.ts';

/** What a run is told where nobody says anything: no limits, no permissions, nothing looser than it begins with. */
export const plainRun: Pick<
  RunBatchOptions,
  | 'batch'
  | 'timeZone'
  | 'repeatWindowMs'
  | 'banks'
  | 'allowShared'
  | 'allowRepeats'
  | 'sameBatch'
  | 'noticePercent'
  | 'reserves'
  | 'limits'
  | 'limitsNeeded'
  | 'resultsPath'
> = {
  batch: undefined,
  timeZone: () => 'UTC',
  repeatWindowMs: 5 * 24 * 60 * 60 * 1000,
  banks: {},
  allowShared: 0,
  allowRepeats: 0,
  sameBatch: false,
  noticePercent: 25,
  reserves: new Map(),
  limits: { confirmTotal: new Map(), maxTotal: new Map() },
  limitsNeeded: false,
  resultsPath: undefined,
};

/** Whatever is not a match is held. */
export const holdingPolicy: Policy = {
  skipInvalid: false,
  onClose: 'hold',
  onMismatch: 'hold',
  onUnchecked: 'hold',
  limitPayout: new Map(),
};
