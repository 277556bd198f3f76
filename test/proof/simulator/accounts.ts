import type { JournalDatabase } from '../../../src/journal/open-journal.ts';

/** A is the account that pays; B is another one of the same e-mail, whose keys somebody may take by mistake. */
export type AccountName = 'A' | 'B';

export const place = 'https://model.test/api/b2b';

/** What tells an account of the service apart from another, as it is today. */
export interface Identity {
  readonly email: string;
  readonly publicKey: string;
}

/** The batches of a journal that were begun as somebody else: nothing of them may be sent as this one. */
export function begunElsewhere(db: JournalDatabase, { email, publicKey }: Identity): ReadonlySet<string> {
  const now = JSON.stringify([place, email, publicKey, publicKey]);
  const others = db.prepare<[string], string>('SELECT name FROM batches WHERE environment <> ?');
  return new Set(others.pluck().all(now));
}
