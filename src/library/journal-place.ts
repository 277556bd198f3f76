import { existsSync } from 'node:fs';
import type { EnvironmentKind } from '../domain/environment/environment.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { journalPath, makeWorkspace, workspaceExists } from '../workspace.ts';

/** Where the journal of a workspace stands. */
export interface JournalPlace {
  /** For people; without a password. */
  text(): Promise<string>;
  /** Undefined where there is none and none may be made. */
  open(mayMake: boolean): Promise<JournalDatabase | undefined>;
  /** For whoever only pays; undefined where there is none, or where it is not shared. */
  openToPay(): Promise<JournalDatabase | undefined>;
  /** Makes the workspace know that it is its journal, and no other. */
  claim(db: JournalDatabase): Promise<void>;
}

/** A file of the workspace, or a Postgres that is named. */
export function journalPlace(
  workspace: string,
  kind: EnvironmentKind,
  url: string | undefined,
): JournalPlace {
  const path = journalPath(workspace, kind);
  if (url !== undefined)
    return {
      text: async () => (await import('./shared-place.ts')).textOfPlace(kind, url),
      async open(mayMake) {
        const { openItsOwn } = await import('./shared-place.ts');
        return openItsOwn(path, kind, url, { mayMake });
      },
      async openToPay() {
        const { openItsOwn } = await import('./shared-place.ts');
        return openItsOwn(path, kind, url, { mayMake: false, copy: 'to-pay' });
      },
      async claim(db) {
        const { leaveWord } = await import('./shared-place.ts');
        makeWorkspace(workspace);
        leaveWord(path, db, kind, url);
      },
    };
  return {
    text: async () => path,
    async open(mayMake) {
      if (!mayMake && !(workspaceExists(workspace) && existsSync(path))) return undefined;
      const { openJournal } = await import('../journal/open-journal.ts');
      makeWorkspace(workspace);
      return openJournal(path);
    },
    openToPay: async () => undefined,
    claim: async () => undefined,
  };
}
