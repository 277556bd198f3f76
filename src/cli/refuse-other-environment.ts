import { exitCode, PayrunError } from '../errors.ts';
import type { BatchRecord } from '../journal/batch-record.ts';

/** Another account's transactions say nothing about this batch. */
export function refuseOtherEnvironment(batch: BatchRecord, environment: string): void {
  if (batch.environment === environment) return;
  throw new PayrunError(
    'wrong-environment',
    exitCode.guardRefused,
    `Batch ${batch.name} was begun in ${batch.environment}, this is ${environment}. Use the settings it was begun with.`,
  );
}
