import { currenciesFrom } from '../../domain/row/parse-currency.ts';
import { AmountSums } from './amount-sums.ts';

/** Amounts of one currency, as far as a file has several. */
export interface CurrencySum {
  readonly currency: string;
  readonly sums: AmountSums;
  readonly amounts: number;
}

/** So many currencies have sums of their own; a file with more of them has something else in that column. */
const mostCurrencies = 20;

/** What the amounts add up to, all of them and, once a second currency is met, those of each currency. */
export class CurrencySums {
  readonly all = new AmountSums();
  #amounts = 0;
  #only: string | undefined;
  #lastText = '';
  #lastCode = '';
  #each: Map<string, { readonly sums: AmountSums; amounts: number }> | undefined;

  add(amount: string, currency: string): void {
    const own = this.#meantBy(currency);
    this.#only ??= own;
    if (!this.#each && own !== this.#only) {
      const before = { sums: this.all.copy(), amounts: this.#amounts };
      this.#each = new Map([[this.#only, before]]);
    }
    this.all.add(amount);
    this.#amounts += 1;
    if (this.#each) this.#addTo(this.#each, own, amount);
  }

  get areSeveral(): boolean {
    return this.#each !== undefined;
  }

  /** The sum of the currency that one of these texts names, where the file has several; no text may name two. */
  namedBy(texts: readonly string[]): CurrencySum | undefined {
    const words = new Set(texts.flatMap((text) => text.match(/\p{L}+/gu) ?? []).map(codeOf));
    const named = [...(this.#each ?? [])].filter(([currency]) => words.has(currency));
    const [only] = named;
    return only && named.length === 1 ? { currency: only[0], ...only[1] } : undefined;
  }

  /** Of many rows in a row it is the same text. A cell without one is nobody's currency. */
  #meantBy(text: string): string {
    if (text !== this.#lastText) {
      this.#lastText = text;
      this.#lastCode = codeOf(text);
    }
    return this.#lastCode === '' ? (this.#only ?? '') : this.#lastCode;
  }

  #addTo(each: Map<string, { readonly sums: AmountSums; amounts: number }>, own: string, amount: string) {
    const known =
      each.get(own) ?? (each.size < mostCurrencies ? { sums: new AmountSums(), amounts: 0 } : undefined);
    if (!known) return;
    each.set(own, known);
    known.sums.add(amount);
    known.amounts += 1;
  }
}

/** KES and KSh are one. What may be several stays as it is written. */
function codeOf(text: string): string {
  const plain = text.trim();
  const [only, ...others] = currenciesFrom(plain);
  return only && others.length === 0 ? only.code : plain.toUpperCase();
}
