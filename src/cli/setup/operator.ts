import { userInfo } from 'node:os';

/** Who is at the keyboard, for the log: PAYRUN_OPERATOR, else the login name. */
export function operatorName(): string {
  const given = process.env['PAYRUN_OPERATOR']?.trim();
  if (given !== undefined && given !== '') return given.slice(0, 100);
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
