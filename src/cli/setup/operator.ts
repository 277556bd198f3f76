import { userInfo } from 'node:os';
import { oneLine } from '../../domain/text/one-line.ts';

/** Who is at the keyboard, for the log: PAYRUN_OPERATOR, else the login name. */
export function operatorName(): string {
  const given = oneLine(process.env['PAYRUN_OPERATOR'] ?? '').trim();
  if (given !== '') return given.slice(0, 100);
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
