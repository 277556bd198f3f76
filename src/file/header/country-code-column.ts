import { countryFrom } from '../../domain/row/parse-country.ts';
import { headerKey } from './header-aliases.ts';

/**
 * The one column called country code that has codes of countries in it, as far as the first rows show: it is as often a
 * dialing code, but that is digits. A later row that says something else is refused by itself.
 */
export function countryCodeColumn(
  header: readonly string[],
  free: ReadonlySet<number>,
  firstRows: readonly (readonly string[])[],
): number | undefined {
  const named = [...free].filter((index) => headerKey(header[index] ?? '') === 'countrycode');
  const [index] = named;
  if (index === undefined || named.length > 1) return undefined;
  const codes = firstRows.map((cells) => cells[index]?.trim() ?? '').filter((text) => text !== '');
  const areCodes = codes.every((text) => /^[A-Za-z]{2,3}$/.test(text));
  return areCodes && codes.some((text) => countryFrom(text)) ? index : undefined;
}
