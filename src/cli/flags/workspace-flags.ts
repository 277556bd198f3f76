import type { InferredOptionTypes } from 'yargs';
import type { Config } from '../../config.ts';
import { readConfig } from '../../config-file.ts';
import { workspaceExists, workspacePath } from '../../workspace.ts';
import { switchFlag, textFlag } from './flag-kinds.ts';
import { inGroup } from './in-group.ts';

/** Which workspace and which service: the same flags for every command that needs them. */
export const workspaceFlags = inGroup('Which journal and service', {
  workspace: textFlag('Folder of the journal (PAYRUN_WORKSPACE)'),
  sandbox: switchFlag('Use the embedded service; no real money moves'),
  config: textFlag('Configuration file; default: payrun.config.json in the workspace'),
});

export type WorkspaceFlags = InferredOptionTypes<typeof workspaceFlags>;

export async function findWorkspace(flags: WorkspaceFlags) {
  const given = flags.workspace ?? process.env['PAYRUN_WORKSPACE'];
  const path = workspacePath(given, flags.sandbox, process.env['XDG_STATE_HOME']);
  const exists = workspaceExists(path);
  const file = readConfig(flags.config, exists ? path : undefined);
  const config: Config = file ? (await import('../../config.ts')).checkConfig(file) : {};
  return { path, exists, config };
}
