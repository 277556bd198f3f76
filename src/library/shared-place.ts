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

/** Undefined where there is none and none may be made. */
export async function openShared(
  kind: EnvironmentKind,
  url: string,
  how: Pick<SharedPlace, 'mayMake' | 'isArriving'>,
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

/** A file in the place of the embedded journal that says where it stands: without the URL nobody begins an empty memory. */
export function leaveWord(path: string, db: JournalDatabase, kind: EnvironmentKind, url: string): void {
  const access = readSharedUrl(url);
  const to = { id: sharedOf(db)?.id ?? '', place: placeOf(access, schemaOf(access, kind)) };
  const file = openFile(path);
  try {
    // In one step: a batch that is accepted there meanwhile must not be forgotten.
    file
      .transaction(() => {
        const known = movedTo(file);
        if (known?.id === to.id) return;
        if (known) throw another(known, to);
        const batches = file.prepare<[], number>('SELECT count(*) FROM batches').pluck().get();
        if (batches !== 0) throw notMoved(path, to);
        keepMovedTo(file, to);
      })
      .immediate();
  } finally {
    file.close();
  }
}

function another(known: MovedTo, to: MovedTo): PayrunError {
  return new PayrunError(
    'journal-moved',
    `The journal of this workspace stands at ${known.place}; the one at ${to.place} is another, which does not know what was paid. Name the right one with PAYRUN_JOURNAL_URL. Nothing was sent.`,
  );
}

function notMoved(path: string, to: MovedTo): PayrunError {
  return new PayrunError(
    'journal-not-moved',
    `The workspace has a journal of its own (${path}), which ${to.place} knows nothing of. Take it there with: payrun journal move\nNothing was sent.`,
  );
}
