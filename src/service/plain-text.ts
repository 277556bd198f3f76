/** Shorter ones would blank out ordinary words; no real key or token is this short. */
const shortestSecret = 8;

/**
 * Words of the service's as they may be shown and stored: on one line, of bounded length, without anything that
 * could steer a terminal, and without our own secrets should the service echo them.
 */
export function plainText(text: string, maxLength: number, secrets: readonly string[]): string {
  // Secrets go first: a cut through the middle of one would leave its beginning standing.
  let safe = text;
  for (const secret of secrets) {
    if (secret.length >= shortestSecret) safe = safe.replaceAll(secret, '[concealed]');
  }
  // Replaced by a blank and never just removed, or the pieces of a secret could join up again.
  const clean = safe
    .slice(0, maxLength * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const letters = [...clean];
  return letters.length <= maxLength ? clean : `${letters.slice(0, maxLength - 1).join('')}…`;
}
