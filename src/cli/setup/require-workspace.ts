import { PayrunError } from '../../errors.ts';
import { workspaceCommand } from '../flags/next-batch-command.ts';
import type { WorkspaceFlags } from '../flags/workspace-flags.ts';
import type { OpenedPayrun } from './payrun-of.ts';

/** For what pays: without a workspace there is no place for its log, and perhaps no memory of what was paid. */
export function requireWorkspace({ workspace }: OpenedPayrun, flags: WorkspaceFlags): void {
  if (workspace.exists) return;
  throw new PayrunError(
    'workspace-missing',
    `There is no workspace at ${workspace.path}, so payrun would not know what was paid before. If this is the first time, make it with: ${workspaceCommand(['init'], flags)}\nOtherwise name the right one with --workspace.`,
  );
}
