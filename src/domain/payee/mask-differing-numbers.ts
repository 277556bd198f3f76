import { maskNumber } from '../money/format-money.ts';

/**
 * Two numbers masked so that one sees what differs. Where the last digits agree, the digits that do not are shown as
 * well, and those between stay hidden: `…12•••0001` and `…99•••0001`.
 */
export function maskDifferingNumbers(one: string, other: string): [string, string] {
  const digitsShown = 4;
  if (one.slice(-digitsShown) !== other.slice(-digitsShown) || one === other) {
    return [maskNumber(one), maskNumber(other)];
  }
  const length = Math.max(one.length, other.length);
  const fromEnd = (number: string, place: number) => number.at(-1 - place) ?? '';
  const differs = (place: number) => fromEnd(one, place) !== fromEnd(other, place);
  const farthest = Array.from({ length }, (_, place) => differs(place)).lastIndexOf(true);
  const masked = (number: string) => {
    let text = '';
    for (let place = farthest; place >= 0; place -= 1) {
      text += place < digitsShown || differs(place) ? fromEnd(number, place) : '•';
    }
    return `…${text}`;
  };
  return [masked(one), masked(other)];
}
