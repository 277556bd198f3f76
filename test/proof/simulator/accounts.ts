import { type Environment, environmentKey } from '../../../src/domain/environment/environment.ts';
import { publicKeyMark } from '../../../src/domain/environment/public-key-mark.ts';
import type { JournalDatabase } from '../../../src/journal/journal-database.ts';

/** A is the account that pays; B is another one of the same e-mail, whose keys somebody may take by mistake. */
export type AccountName = 'A' | 'B';

export const place = 'https://model.test/api/b2b';

/** What tells an account of the service apart from another, as it is today. */
export interface Identity {
  readonly email: string;
  readonly publicKey: string;
}

/** As a journal writes it down. */
export function environmentOf({ email, publicKey }: Identity): Environment {
  const mark = publicKeyMark(publicKey);
  return { place, email, profileKey: mark, configuredKey: mark };
}

/** The batches of a journal that were begun as somebody else: nothing of them may be sent as this one. */
export function begunElsewhere(db: JournalDatabase, identity: Identity): ReadonlySet<string> {
  const now = environmentKey(environmentOf(identity));
  const others = db.prepare<[string], string>('SELECT name FROM batches WHERE environment <> ?');
  return new Set(others.pluck().all(now));
}
