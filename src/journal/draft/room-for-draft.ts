import { PayrunError } from '../../errors.ts';
import type { JournalDatabase } from '../journal-database.ts';

interface Holder {
  isInUse: boolean;
  readonly close: () => void;
}

const holders = new WeakMap<JournalDatabase, Holder>();

/** Beside a journal there is room for one draft. One that is still worked with is not taken away from whoever does. */
export function makeRoomForDraft(db: JournalDatabase): void {
  const holder = holders.get(db);
  if (holder?.isInUse)
    throw new PayrunError(
      'handle-busy',
      'Another run, plan or report of this handle is under way, and it works on one file at a time. Wait for it, or open another handle with openPayrun.',
    );
  holder?.close();
}

/** For a draft that was just put there. */
export function holdRoomForDraft(db: JournalDatabase, detach: () => void) {
  const mine: Holder = {
    isInUse: true,
    close() {
      // One that could not be taken away still stands there, and is taken away by the next who wants the room.
      detach();
      holders.delete(db);
    },
  };
  holders.set(db, mine);
  return {
    close: mine.close,
    /** What was found stays until somebody else needs the room. */
    release(): void {
      mine.isInUse = false;
    },
    isPresent: (): boolean => holders.get(db) === mine,
  };
}
