import type { Config } from '../../config.ts';
import { sayNotice } from '../terminal/say-notice.ts';
import { readSecretFile } from './read-secret-file.ts';

/** Where a shared journal stands, if there is one: a secret, for it may hold a password. */
export function journalUrlOf(config: Config): string | undefined {
  const file = process.env['PAYRUN_JOURNAL_URL_FILE'];
  const given = process.env['PAYRUN_JOURNAL_URL'];
  if (file === undefined || file === '') return given || config.journalUrl;
  if (given) sayNotice('PAYRUN_JOURNAL_URL and PAYRUN_JOURNAL_URL_FILE are both set: the file is used.');
  return readSecretFile('PAYRUN_JOURNAL_URL_FILE', file, 'journal-url-invalid');
}
