import type { Clock } from '../clock.ts';
import { PayrunError } from '../errors.ts';
import { createJournal } from '../journal/journal.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { forgetNames, type RememberedNames, rememberedNames } from '../journal/released-names.ts';

/** Forgets pairs of names by their ids, all of them or none: from then on such a payout is held again. */
export async function forgetRemembered(
  { db, clock, operator }: { readonly db: JournalDatabase; readonly clock: Clock; readonly operator: string },
  ids: readonly string[],
  because: string,
): Promise<RememberedNames[]> {
  const journal = createJournal(db, clock, { run: 'names', operator });
  return journal.write(() => {
    const known = new Map(rememberedNames(db).map((pair) => [pair.id, pair]));
    const chosen = [...new Set(ids)].map((id) => known.get(id) ?? notKnown(id));
    for (const pair of chosen) forgetNames(db, journal.writer, pair, { atMs: clock.nowMs(), because });
    return chosen;
  });
}

function notKnown(id: string): never {
  throw new PayrunError(
    'names-unknown',
    `"${id}" is no remembered pair of names: payrun names lists them, each with its id. Nothing was forgotten.`,
  );
}
