import { readableText } from '../../domain/text/readable-text.ts';
import { headerKey } from './header-aliases.ts';

/** How `--map` can name a column: by its text where that is one column's alone and safe in a shell, else by number. */
export function columnReference(header: readonly string[], index: number): string {
  const text = header[index]?.trim() ?? '';
  const alone = header.filter((each) => each.trim() === text).length === 1;
  const typable = text !== '' && readableText(text) === text && !/["$`\\!]/.test(text);
  return alone && typable ? text : `#${index + 1}`;
}

/** The columns that a name from `--map` or the config can mean: the exact text first, then the loose one, then `#3` for the third column. */
export function columnsNamed(header: readonly string[], name: string, free: ReadonlySet<number>): number[] {
  const columns = [...free];
  const exact = columns.filter((index) => header[index]?.trim() === name.trim());
  if (exact.length > 0) return exact;
  const key = headerKey(name);
  const loose = key === '' ? [] : columns.filter((index) => headerKey(header[index] ?? '') === key);
  if (loose.length > 0) return loose;
  const number = /^#(\d{1,4})$/.exec(name.trim())?.[1];
  return columns.filter((index) => index + 1 === Number(number));
}
