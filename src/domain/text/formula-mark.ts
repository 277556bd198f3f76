/**
 * A spreadsheet runs a cell that begins with one of these as a formula. An apostrophe in front makes it text again.
 * Apostrophes already there count as part of the beginning, so that marking and unmarking undo each other exactly.
 */
export function neutralise(text: string): string {
  return isDangerous(text) ? `'${text}` : text;
}

/** The opposite of `neutralise`, for files of our own writing only: elsewhere the apostrophe is somebody's. */
export function removeMark(text: string): string {
  return text.startsWith("'") && isDangerous(text) ? text.slice(1) : text;
}

function isDangerous(text: string): boolean {
  return dangerousBeginning.test(text) && !plainNumber.test(text);
}

const dangerousBeginning = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Phone numbers and signed amounts: nothing but digits and their separators, which no formula can be made of. */
const plainNumber = /^'*[+-]\(?\d[\d .,()\u00a0\u202f-]*(?:[eE][+-]?\d+)?$/;
