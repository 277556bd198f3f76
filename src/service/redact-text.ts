/**
 * Words of the service's as they may be shown and stored: on one line, of bounded length, without anything that could
 * steer a terminal.
 */
export function redactText(text: string, maxLength: number): string {
  const clean = text
    .slice(0, maxLength * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const letters = [...clean];
  return letters.length <= maxLength ? clean : `${letters.slice(0, maxLength - 1).join('')}…`;
}
