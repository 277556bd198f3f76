/**
 * What stands in a cell that is marked as text: `="0712…"`, `'0712…` and `"0712…"` are how exporters and people keep a
 * spreadsheet from taking text for a number. Undefined where there is no such mark.
 */
export function unmarkedText(text: string): string | undefined {
  const [, ...inner] = textMark.exec(text) ?? [];
  return inner.find((each) => each !== undefined);
}

/** Quotation marks as spreadsheets make them of plain ones in any language count as well. */
const textMark = /^(?:="([^"]*)"|=(\d+)|["“”„«»]([^"“”„«»]*)["“”„«»]|['’‘]([^'’‘]*)['’‘]|['’]+(.*))$/s;
