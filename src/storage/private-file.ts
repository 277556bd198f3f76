import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs';

/**
 * Makes a file that nobody else can read, 0600 whatever the umask, before anything is put in; or makes sure that the one
 * which is there is an ordinary file under this one name. Throws why not, in half a sentence.
 *
 * Opened only where it is not there yet: closing a file lets go of every lock that this process has on it, so a second
 * asker in the same process would free the first one's batch for everybody else.
 */
export function claimPrivateFile(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })) createEmpty(path);
  const why = whyNotOurs(path);
  if (why !== undefined) throw new Error(why);
  chmodSync(path, 0o600);
}

/** Why what stands at a path must not be written to: it would be written elsewhere. Undefined where it may, or is not there. */
export function whyNotOurs(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) return 'it is a symbolic link';
  if (!stats.isFile()) return 'it is not an ordinary file';
  // SQLite names its other files after the one it opens: under two names there would be two logs for one journal.
  if (stats.nlink > 1) return 'the same file has a second name (a hard link)';
  return undefined;
}

/** Never through a link, not even one that leads nowhere. Another process may have made it in between: that serves as well. */
function createEmpty(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
