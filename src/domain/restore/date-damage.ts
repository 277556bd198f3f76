/**
 * Whether `now` is what a spreadsheet makes of the text `was` when it takes it for a date: `12-3` comes back as
 * `12-Mar`, `3-Dec` or `12/03/2026`, and `2026-11` as `Nov-26`.
 */
export function isDateDamage(was: string, now: string): boolean {
  if (was.length > longestDate || now.length > longestDate) return false;
  const shown = shownDates(now.replace(/ 0?0:00(?::00)?$/, ''));
  return shown.length > 0 && takenDates(was).some((taken) => shown.some((date) => isShownAs(taken, date)));
}

/** What a text may mean as a date; parts that it does not say are undefined. */
interface DateReading {
  readonly year?: number | undefined;
  readonly month: number;
  readonly day?: number | undefined;
}

const longestDate = 30;

/** How a text may be taken: with the month first or the day first, by the country of the spreadsheet. */
function takenDates(text: string): DateReading[] {
  const [, first = '', second = '', third] = /^(\d{1,4})[-/](\d{1,4})(?:[-/](\d{1,4}))?$/.exec(text) ?? [];
  if (first !== '') return possible(numericDates(Number(first), Number(second), third, first.length));
  const named = /^(?:(\d{1,2})[-/ ]?)?(\p{L}{3,9})\.?(?:[-/ ,]{0,2}(\d{1,4}))?$/u.exec(text);
  const month = monthNamed(named?.[2]);
  if (!named || month === undefined) return [];
  const [, before, , behind] = named;
  if (before !== undefined) return possible([{ month, day: Number(before), year: numberOf(behind) }]);
  if (behind === undefined) return [];
  const number = Number(behind);
  return possible([number > 31 ? { month, year: number } : { month, day: number }]);
}

function numericDates(
  first: number,
  second: number,
  third: string | undefined,
  width: number,
): DateReading[] {
  if (third === undefined) {
    return [
      { month: first, day: second },
      { month: second, day: first },
      // Only where it can be no day.
      ...(second > 31 ? [{ month: first, year: second }] : []),
      ...(first > 31 ? [{ month: second, year: first }] : []),
    ];
  }
  const last = Number(third);
  if (width === 4) return [{ year: first, month: second, day: last }];
  return [
    { month: first, day: second, year: last },
    { month: second, day: first, year: last },
  ];
}

/** How spreadsheets show dates. */
function shownDates(text: string): DateReading[] {
  const named = /^(?:(\d{1,2})[-/ ])?(\p{L}{3,9})\.?(?:[-/ ](\d{2}|\d{4}))?$/u.exec(text);
  const month = monthNamed(named?.[2]);
  if (named && month !== undefined) {
    const [, day, , year] = named;
    return day === undefined && year === undefined
      ? []
      : possible([{ month, day: numberOf(day), year: numberOf(year) }]);
  }
  const [, first = '', second = '', third = ''] = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})$/.exec(text) ?? [];
  return first === '' ? [] : possible(numericDates(Number(first), Number(second), third, first.length));
}

function possible(dates: readonly DateReading[]): DateReading[] {
  return dates.filter(
    ({ month, day, year }) =>
      month >= 1 &&
      month <= 12 &&
      (day === undefined || (day >= 1 && day <= 31)) &&
      (year === undefined || year <= 99 || (year >= 1900 && year <= 2999)),
  );
}

/** A year that was not said is that of the day on which it happened; a day that was not said is the first. */
function isShownAs(taken: DateReading, shown: DateReading): boolean {
  if (taken.month !== shown.month) return false;
  if (taken.day === undefined ? (shown.day ?? 1) !== 1 : shown.day !== taken.day) return false;
  if (taken.year === undefined) return true;
  return shown.year !== undefined && taken.year % 100 === shown.year % 100;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** In English and French, short or whole. */
function monthNamed(name: string | undefined): number | undefined {
  if (name === undefined) return undefined;
  const index = months.findIndex((month) => month.test(name));
  return index < 0 ? undefined : index + 1;
}

const months = [
  /^(?:jan(?:uary)?|janv(?:ier)?)$/i,
  /^(?:feb(?:ruary)?|f[ée]vr?(?:ier)?)$/i,
  /^(?:mar(?:ch|s)?)$/i,
  /^(?:apr(?:il)?|avr(?:il)?)$/i,
  /^(?:may|mai)$/i,
  /^(?:june?|juin)$/i,
  /^(?:july?|juil(?:let)?)$/i,
  /^(?:aug(?:ust)?|ao[uû]t)$/i,
  /^sept?(?:embe?re?)?$/i,
  /^oct(?:obe?re?)?$/i,
  /^nov(?:embe?re?)?$/i,
  /^(?:dec(?:ember)?|d[ée]c(?:embre)?)$/i,
];
