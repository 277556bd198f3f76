import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { EnvironmentKind } from './domain/environment/environment.ts';
import { pathTrouble } from './domain/text/path-trouble.ts';
import { PayrunError } from './errors.ts';
import { isAnothers } from './storage/trusted-file.ts';

/** Where journal, locks and sandbox state live: given, or the user's state folder; for the sandbox, here. */
export function workspacePath(given: string | undefined, sandbox: boolean, stateHome = ''): string {
  if (given !== undefined && given !== '') return resolve(given);
  if (sandbox) return resolve('.payrun');
  return join(stateHome || join(homedir(), '.local', 'state'), 'payrun');
}

export function workspaceExists(path: string): boolean {
  if (!existsSync(path)) return false;
  if (!statSync(path).isDirectory()) throw notAWorkspace(path, noFolder);
  return true;
}

/**
 * Made 0700 whatever the umask. A link in its place could lead anywhere, and a folder with other things in it is other
 * people's too: both are refused.
 */
export function makeWorkspace(path: string): void {
  try {
    refuseSharedFolder(path);
    makePrivateFolder(path);
    makePrivateFolder(join(path, 'locks'));
  } catch (error) {
    throw notAWorkspace(path, pathTrouble(error, dirname(path)), error);
  }
}

function notAWorkspace(path: string, why: string, cause?: unknown): PayrunError {
  return new PayrunError(
    'workspace-not-writable',
    `The workspace ${path} cannot be made or used: ${why}. Name another place with --workspace (or PAYRUN_WORKSPACE).`,
    { cause },
  );
}

const noFolder = 'it is a file, not a folder';

function refuseSharedFolder(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return;
  if (stats.isSymbolicLink()) throw new Error(`${path} is a symbolic link`);
  if (!stats.isDirectory()) throw new Error(noFolder);
  if (!ownPaths(path).some((own) => existsSync(own)) && !readdirSync(path).every(isOfNobody)) {
    throw new Error('it is a folder with other things in it, and payrun needs one of its own');
  }
  if ((stats.mode & sticky) !== 0) throw new Error('it is a folder that many users share');
  if (isAnothers(stats.uid)) throw new Error('it belongs to another user');
}

const sticky = 0o1000;

/** By any of these a folder is known for a workspace. */
function ownPaths(workspace: string): string[] {
  const journals = (['live', 'test', 'sandbox'] as const).map((kind) => journalPath(workspace, kind));
  return [...journals, sandboxStatePath(workspace), configPath(workspace), join(workspace, 'locks')];
}

/** What editors, version control and file systems leave in any folder. */
function isOfNobody(entry: string): boolean {
  return entry.startsWith('.') || entry === 'lost+found';
}

function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (lstatSync(path).isSymbolicLink()) throw new Error(`${path} is a symbolic link`);
  chmodSync(path, 0o700);
}

export function journalPath(workspace: string, kind: EnvironmentKind): string {
  return join(workspace, kind === 'live' ? 'journal.db' : `journal-${kind}.db`);
}

export function configPath(workspace: string): string {
  return join(workspace, 'payrun.config.json');
}

export function sandboxStatePath(workspace: string): string {
  return join(workspace, 'sandbox.db');
}

export function logPath(workspace: string): string {
  return join(workspace, 'payrun.log');
}
