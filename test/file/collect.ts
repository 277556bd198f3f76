import type { RawRow } from '../../src/domain/row.ts';
import type { FileReading } from '../../src/file/file-reading.ts';
import type { ReadRow } from '../../src/file/rows/row-builder.ts';
import { rawRows } from '../../src/pipeline/2-validate-rows.ts';

/** All that comes in pages. */
export async function collect<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

/** All rows of a file, with the values of their fields. */
export async function collectRows({ header, pages }: FileReading): Promise<(ReadRow & RawRow)[]> {
  const rawRow = header && rawRows(header);
  return (await collect(pages)).map((row) => ({ ...row, values: rawRow?.(row).values ?? {} }));
}
