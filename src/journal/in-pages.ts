/** All rows that a question has, a page at a time: flat memory however many, and writing between the pages. */
export function* inPages<Row>(
  page: (after: number) => readonly Row[],
  placeOf: (row: Row) => number | bigint,
): IterableIterator<readonly Row[]> {
  for (let after = 0; ; ) {
    const rows = page(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = Number(placeOf(last));
  }
}
