import { chmodSync, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathTrouble } from './domain/text/path-trouble.ts';
import { exitCode, PayrunError } from './errors.ts';

/** Which of the three kinds of service a run speaks to. Each has a journal of its own. */
export type EnvironmentKind = 'sandbox' | 'test' | 'live';

export interface WorkspaceChoice {
  /** `--workspace`, else PAYRUN_WORKSPACE. */
  readonly given: string | undefined;
  readonly sandbox: boolean;
  readonly stateHome: string | undefined;
}

/** Where journal, locks and sandbox state live: given, or the user's state folder; for the sandbox, here. */
export function workspacePath({ given, sandbox, stateHome }: WorkspaceChoice): string {
  if (given !== undefined && given !== '') return resolve(given);
  if (sandbox) return resolve('.payrun');
  return join(stateHome && stateHome !== '' ? stateHome : join(homedir(), '.local', 'state'), 'payrun');
}

export function workspaceExists(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** Made 0700 whatever the umask. A link in its place could lead anywhere, so it is refused. */
export function makeWorkspace(path: string): void {
  try {
    makePrivateFolder(path);
    makePrivateFolder(join(path, 'locks'));
  } catch (error) {
    throw new PayrunError(
      'workspace-not-writable',
      exitCode.cannotCreate,
      `The workspace ${path} cannot be made or used: ${pathTrouble(error, dirname(path))}. Name another place with --workspace (or PAYRUN_WORKSPACE).`,
      { cause: error },
    );
  }
}

function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (lstatSync(path).isSymbolicLink()) throw new Error(`${path} is a symbolic link`);
  chmodSync(path, 0o700);
}

export function journalPath(workspace: string, kind: EnvironmentKind): string {
  return join(workspace, kind === 'live' ? 'journal.db' : `journal-${kind}.db`);
}

export function sandboxStatePath(workspace: string): string {
  return join(workspace, 'sandbox.db');
}

export function logPath(workspace: string): string {
  return join(workspace, 'payrun.log');
}
