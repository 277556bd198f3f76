import type { NumberPlan } from './number-plan.ts';

/** The digits of a phone number, and whether they begin with a country's code beyond doubt. */
export interface PhoneDigits {
  readonly digits: string;
  readonly international: boolean;
}

/** Reads the characters of a phone cell: +254 712…, 00254 712…, (0712) 345-678 and the like. */
export function phoneNotation(text: string, plan: NumberPlan): PhoneDigits | 'several' | 'unreadable' {
  if (!phoneCharacters.test(text)) {
    const numbers = text.split(betweenNumbers).filter((part) => part.replace(/\D/g, '').length >= 7);
    return numbers.length > 1 ? 'several' : 'unreadable';
  }
  const digits = text.replace(/\D/g, '');
  if (text.includes('+')) return { digits, international: true };
  const abroad = /^0{2,3}([1-9].*)$/.exec(digits)?.[1];
  // 00712345678 is a zero typed twice; behind a true 00 stand a country's code and a number.
  if (abroad !== undefined && abroad.length > plan.digits) return { digits: abroad, international: true };
  return { digits, international: false };
}

/** The digits behind the country's own code, or undefined where they stand behind another one. */
export function nationalDigits({ digits, international }: PhoneDigits, plan: NumberPlan): string | undefined {
  if (digits.startsWith(plan.dialingCode) && (international || digits.length > plan.digits + 1)) {
    return digits.slice(plan.dialingCode.length);
  }
  return international ? undefined : digits;
}

/** Digits with blanks, points, brackets and all kinds of dashes between them, and a plus in front only. */
const phoneCharacters = /^\(?\+?\(?\d[\d ().\-‐-―−]*$/u;
const betweenNumbers = /[/;,&|+]| or | and /i;
