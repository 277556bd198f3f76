import type { InferredOptionTypes } from 'yargs';
import { type Config, loadConfig } from '../../config.ts';
import { workspaceExists, workspacePath } from '../../workspace.ts';
import { switchFlag, textFlag } from './flag-kinds.ts';

/** Which workspace and which service: the same flags for every command that needs them. */
export const workspaceFlags = {
  workspace: textFlag('Folder of the journal (PAYRUN_WORKSPACE)'),
  sandbox: switchFlag('Use the embedded service; no real money moves'),
  config: textFlag('Configuration file; default: payrun.config.json in the workspace'),
};

export type WorkspaceFlags = InferredOptionTypes<typeof workspaceFlags>;

export function findWorkspace(flags: WorkspaceFlags): { path: string; exists: boolean; config: Config } {
  const given = flags.workspace ?? process.env['PAYRUN_WORKSPACE'];
  const path = workspacePath(given, flags.sandbox, process.env['XDG_STATE_HOME']);
  const exists = workspaceExists(path);
  return { path, exists, config: loadConfig(flags.config, exists ? path : undefined) };
}
