/** A sum of decimal texts with as many decimals as they have: no float, no rounding. */
export class ExactSum {
  #units = 0n;
  #decimals = 0;

  /** Adds a number given as its digits before and behind the decimal sign. */
  add(whole: string, fraction: string): void {
    this.#widen(fraction.length);
    this.#units += BigInt(whole + fraction.padEnd(this.#decimals, '0'));
  }

  plus(other: ExactSum): ExactSum {
    const sum = new ExactSum();
    sum.#decimals = Math.max(this.#decimals, other.#decimals);
    sum.#units = this.#unitsAt(sum.#decimals) + other.#unitsAt(sum.#decimals);
    return sum;
  }

  equals(other: ExactSum): boolean {
    const decimals = Math.max(this.#decimals, other.#decimals);
    return this.#unitsAt(decimals) === other.#unitsAt(decimals);
  }

  /** Plain decimal text with a point, without needless zeros beyond two decimals. */
  toString(): string {
    const digits = this.#units.toString().padStart(this.#decimals + 1, '0');
    const whole = digits.slice(0, digits.length - this.#decimals);
    const fraction = digits.slice(digits.length - this.#decimals).replace(/(?<=^\d\d)0+$/, '');
    return fraction === '' ? whole : `${whole}.${fraction.padEnd(2, '0')}`;
  }

  #widen(decimals: number): void {
    if (decimals <= this.#decimals) return;
    this.#units = this.#unitsAt(decimals);
    this.#decimals = decimals;
  }

  #unitsAt(decimals: number): bigint {
    return this.#units * 10n ** BigInt(decimals - this.#decimals);
  }
}
