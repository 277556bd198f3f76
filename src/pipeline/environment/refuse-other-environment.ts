import type { Environment } from '../../domain/environment/environment.ts';
import { otherEnvironment, type RebindCommand } from '../../domain/environment/other-environment.ts';
import { PayrunError } from '../../errors.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';

/** Another account's transactions say nothing about this batch, and its wallet is not the one it is paid from. */
export function refuseOtherEnvironment(
  batch: Pick<BatchRecord, 'name' | 'environment'>,
  now: Environment,
  command?: RebindCommand,
): void {
  const message = otherEnvironment(batch, now, command);
  if (message !== undefined) throw wrongEnvironment(message);
}

export function wrongEnvironment(message: string): PayrunError {
  return new PayrunError('wrong-environment', message);
}
