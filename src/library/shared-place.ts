import { existsSync } from 'node:fs';
import type { EnvironmentKind } from '../domain/environment/environment.ts';
import { PayrunError } from '../errors.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { keepMovedTo, type MovedTo, movedTo } from '../journal/moved-to.ts';
import { openFile } from '../journal/open-journal.ts';
import { connectPostgres, orUnreachable } from '../journal/shared/connect-postgres.ts';
import { openSharedJournal } from '../journal/shared/open-shared-journal.ts';
import type { SharedPlace } from '../journal/shared/shared-connection.ts';
import { sharedOf } from '../journal/shared/shared-of.ts';
import { placeOf, readSharedUrl, schemaOf } from '../journal/shared/shared-url.ts';
import { openWorkerDesk, type WorkerDesk } from '../journal/shared/worker-desk.ts';

/** Undefined where there is none and none may be made. */
export async function openShared(
  kind: EnvironmentKind,
  url: string,
  how: Pick<SharedPlace, 'mayMake' | 'isArriving' | 'copy'>,
): Promise<JournalDatabase | undefined> {
  const access = readSharedUrl(url);
  const connection = await connectPostgres(access);
  let db: JournalDatabase | undefined;
  try {
    db = await openSharedJournal({ connection, schema: schemaOf(access, kind), ...how });
    return db;
  } catch (error) {
    throw orUnreachable(access, error);
  } finally {
    if (!db) await connection.close();
  }
}

/** Where the workers of a journal find each other. */
export function openDesk(kind: EnvironmentKind, url: string): Promise<WorkerDesk> {
  const access = readSharedUrl(url);
  return openWorkerDesk(access, schemaOf(access, kind));
}

/** For people; without a password. */
export function textOfPlace(kind: EnvironmentKind, url: string): string {
  const access = readSharedUrl(url);
  return placeOf(access, schemaOf(access, kind));
}

/**
 * The journal of a workspace. One that stands elsewhere, is gone, or is still in the workspace's own file is not begun anew.
 * Undefined where there is none and none may be made.
 */
export async function openItsOwn(
  path: string,
  kind: EnvironmentKind,
  url: string,
  { mayMake, copy }: Pick<SharedPlace, 'mayMake' | 'copy'>,
): Promise<JournalDatabase | undefined> {
  const to = textOfPlace(kind, url);
  const { known, isUsed } = lookIn(path);
  const db = await openShared(kind, url, { mayMake: mayMake && !known && !isUsed, copy });
  if (db) return db;
  if (known) throw known.place === to ? gone(known) : another(known, to);
  if (isUsed) throw notMoved(path, kind, to);
  return undefined;
}

/** What the workspace's own file says. */
function lookIn(path: string): { known: MovedTo | undefined; isUsed: boolean } {
  if (!existsSync(path)) return { known: undefined, isUsed: false };
  const file = openFile(path);
  try {
    return { known: movedTo(file), isUsed: hasBatches(file) };
  } finally {
    file.close();
  }
}

/** A file in the place of the embedded journal that says where it stands: without the URL nobody begins an empty memory. */
export function leaveWord(path: string, db: JournalDatabase, kind: EnvironmentKind, url: string): void {
  const to = { id: sharedOf(db)?.id ?? '', place: textOfPlace(kind, url) };
  const file = openFile(path);
  try {
    // In one step: a batch that is accepted there meanwhile must not be forgotten.
    file
      .transaction(() => {
        const known = movedTo(file);
        if (known?.id === to.id) return;
        if (known) throw another(known, to.place);
        if (hasBatches(file)) throw notMoved(path, kind, to.place);
        keepMovedTo(file, to);
      })
      .immediate();
  } finally {
    file.close();
  }
}

function hasBatches(file: JournalDatabase): boolean {
  return file.prepare<[], number>('SELECT count(*) FROM batches').pluck().get() !== 0;
}

function gone({ place }: MovedTo): PayrunError {
  return new PayrunError(
    'no-journal',
    `The journal of this workspace stood at ${place}, and it is not there any more. Bring it back from its backup; until then nobody can know what was paid. Nothing was sent.`,
  );
}

function another(known: MovedTo, to: string): PayrunError {
  return new PayrunError(
    'journal-moved',
    `The journal of this workspace stands at ${known.place}; the one at ${to} is another, which does not know what was paid. Name the right one with PAYRUN_JOURNAL_URL. Nothing was sent.`,
  );
}

function notMoved(path: string, kind: EnvironmentKind, to: string): PayrunError {
  return new PayrunError(
    'journal-not-moved',
    `The workspace has a journal of its own (${path}), which ${to} knows nothing of. Take it there with: payrun journal move${kind === 'sandbox' ? ' --sandbox' : ''}\nNothing was sent.`,
  );
}
