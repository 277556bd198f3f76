import { type Minor, minorFromDecimal } from '../../domain/money/money.ts';
import { findCurrency } from '../../domain/reference-data/countries.ts';
import { PayrunError } from '../../errors.ts';

/** `KES=125000.00`, once for each currency. */
export function amountFlags(flag: string, texts: readonly string[]): Map<string, Minor> {
  const amounts = new Map<string, Minor>();
  for (const text of texts) {
    const [code = '', amount = '', ...rest] = text.split('=');
    const currency = findCurrency(code.trim().toUpperCase());
    const minor =
      currency && rest.length === 0 ? minorFromDecimal(amount.trim(), currency.decimals) : undefined;
    if (!currency || minor === undefined || minor < 0n) {
      throw new PayrunError(
        'bad-amount',
        `${flag} takes a currency and an amount such as KES=125000.00, not "${text}".`,
      );
    }
    if (amounts.has(currency.code)) {
      throw new PayrunError('bad-amount', `${flag} names ${currency.code} twice.`);
    }
    amounts.set(currency.code, minor);
  }
  return amounts;
}
