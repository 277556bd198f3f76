import { grouped } from '../domain/text/grouped.ts';

/** Said wherever payouts are counted: paid is not the end of these. */
export function watchedLines(count: number): string[] {
  if (count === 0) return [];
  const text =
    count === 1
      ? 'of the paid: another transaction under its reference is still open'
      : 'of the paid: another transaction under their references is still open';
  return [`  ${grouped(count).padStart(7)}  ${text}`];
}
