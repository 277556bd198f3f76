import type { Argv } from 'yargs';
import { type Config, loadConfig } from '../../config.ts';
import { workspaceExists, workspacePath } from '../../workspace.ts';
import { switchFlag } from './flag-kinds.ts';

/** Which workspace and which service: the same flags for every command that needs them. */
export interface WorkspaceFlags {
  workspace: string | undefined;
  sandbox: boolean;
  config: string | undefined;
}

export function withWorkspaceFlags<Flags>(yargs: Argv<Flags>) {
  return yargs
    .option('workspace', { type: 'string', describe: 'Folder of the journal (PAYRUN_WORKSPACE)' })
    .option('sandbox', switchFlag('Use the embedded service; no real money moves'))
    .option('config', {
      type: 'string',
      describe: 'Configuration file; default: payrun.config.json in the workspace',
    });
}

export function findWorkspace(flags: WorkspaceFlags): { path: string; exists: boolean; config: Config } {
  const path = workspacePath({
    given: flags.workspace ?? process.env['PAYRUN_WORKSPACE'],
    sandbox: flags.sandbox,
    stateHome: process.env['XDG_STATE_HOME'],
  });
  const exists = workspaceExists(path);
  return { path, exists, config: loadConfig(flags.config, exists ? path : undefined) };
}
