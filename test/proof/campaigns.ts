import type { Campaign } from './campaign.ts';
import { crashPoints } from './crash/crash-points.ts';
import { frozenRun } from './crash/frozen-run.ts';
import { ioErrors } from './crash/io-errors.ts';
import { killRun } from './crash/kill-run.ts';
import { powerLoss } from './crash/power-loss.ts';
import { damagedJournal } from './damage/damaged-journal.ts';
import { hostileCallers } from './hostile/hostile-callers.ts';
import { hostileFiles } from './hostile/hostile-files.ts';
import { hostileService } from './hostile/hostile-service.ts';
import { deliberateFaults } from './mutants/deliberate-faults.ts';
import { cutOffWorkers } from './shared/cut-off-workers.ts';
import { dyingWorkers } from './shared/dying-workers.ts';
import { frozenWorkers } from './shared/frozen-workers.ts';
import { interruptedWorkers } from './shared/interrupted-workers.ts';
import { lostPostgres } from './shared/lost-postgres.ts';
import { mirroredPlans } from './shared/mirrored-plans.ts';
import { promotedStandby } from './shared/promoted-standby.ts';
import { simulator } from './simulator/simulator-campaign.ts';

/** All of the proof, the slowest last. */
export const campaigns: readonly Campaign[] = [
  damagedJournal,
  frozenRun,
  hostileFiles,
  hostileService,
  hostileCallers,
  mirroredPlans,
  simulator,
  ioErrors,
  powerLoss,
  crashPoints,
  lostPostgres,
  frozenWorkers,
  promotedStandby,
  interruptedWorkers,
  cutOffWorkers,
  dyingWorkers,
  killRun,
  deliberateFaults,
];
