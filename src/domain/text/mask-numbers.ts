/**
 * A payment without an id of its own goes by its payee, and that holds the whole number: KE:momo:+254712345671 is said as
 * KE:momo:…5671.
 */
export function maskPayees(text: string): string {
  return text.replace(payee, (_, where: string, number: string) => `${where}…${number.slice(-4)}`);
}

const payee = /\b([A-Z]{2}:(?:momo|bank:[^:\s]+):)(\+?[A-Za-z0-9]{5,})/g;

/**
 * Words of the service's may repeat the number that they are about, and would carry it into logs and reports. References
 * and ids hold letters and stay; so do shorter numbers, which are more often amounts.
 */
export function maskNumbers(text: string): string {
  if (!mayHoldNumber.test(text)) return text;
  return maskPayees(text).replace(longNumber, (number) => `…${number.slice(-4)}`);
}

/** Of nearly all texts this is told sooner than what is in them. */
const mayHoldNumber = /\d{9}|:(?:momo|bank):/;
const longNumber = /(?<![\w-])\+?\d{9,}(?![\w-])/g;
