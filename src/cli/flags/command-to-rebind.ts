import type { RebindCommand } from '../../domain/environment/other-environment.ts';
import { nextBatchCommand } from './next-batch-command.ts';
import type { WorkspaceFlags } from './workspace-flags.ts';

/** With the reason left to whoever types it. */
export function commandToRebind(flags: WorkspaceFlags): RebindCommand {
  return (batch) => `${nextBatchCommand('rebind', batch, flags)} --reason "…"`;
}
