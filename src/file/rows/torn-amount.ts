/** An amount that its own thousands separators tore into cells: `12,500.00` without quotes is `12` and `500.00`. */
export interface TornAmount {
  /** Its cells as they stand. */
  readonly cells: readonly string[];
  /** As it was probably written, and as it can be written without separators. */
  readonly written: string;
  readonly plain: string;
}

/** The cells that may be one amount: one to three digits, then cells of exactly three, `most` of them at most. */
export function tornAmount(
  cells: readonly string[],
  amountColumn: number,
  most = Number.POSITIVE_INFINITY,
): TornAmount | undefined {
  const first = cells[amountColumn]?.trim() ?? '';
  if (!beginning.test(first)) return undefined;
  const torn = [first];
  for (const cell of cells.slice(amountColumn + 1)) {
    const text = cell.trim();
    if (torn.length > most || !threeDigits.test(text)) break;
    torn.push(text);
    if (text.length > 3) break;
  }
  if (torn.length === 1) return undefined;
  return { cells: torn, written: torn.join(','), plain: torn.join('').replace(/^\D+/, '') };
}

/** What to do about it; the same words wherever it is found. */
export function tornAdvice({ cells, written, plain }: TornAmount): string {
  const parts = `${cells.slice(0, -1).join(', ')} and ${cells.at(-1)}`;
  return `Perhaps ${parts} are one amount, ${written}, split at its comma. Write it as ${plain}, or in quotes: "${written}".`;
}

const beginning = /^(?:[\p{L}$₦₵¢]{1,4}[. ]{0,2})?[1-9]\d{0,2}$/u;
const threeDigits = /^\d{3}(?:\.\d{1,2})?$/;
