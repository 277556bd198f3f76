import type { Field } from './row.ts';

/** A column of a file that was taken in: its name as written, and the field it was read as; empty for none. */
export type FileColumn = readonly [name: string, field: Field | ''];

/** The input columns of a file, as they are journaled with its rows. */
export function fileColumns(header: {
  readonly columns: readonly string[];
  readonly fieldColumns: Readonly<Partial<Record<Field, number>>>;
}): FileColumn[] {
  const entries = Object.entries(header.fieldColumns) as [Field, number][];
  const fieldAt = new Map(entries.map(([field, index]) => [index, field]));
  return header.columns.map((name, index) => [name, fieldAt.get(index) ?? '']);
}

/**
 * All columns of several files, in the order of first appearance. A field is one column whatever later files call it:
 * with "Phone" beside "Phone number" nobody could read the results back in.
 */
export function uniteColumns(lists: Iterable<readonly FileColumn[]>): FileColumn[] {
  const united = new Map<string, FileColumn>();
  for (const columns of lists) {
    for (const [index, identity] of columnIdentities(columns).entries()) {
      const column = columns[index];
      if (column && !united.has(identity)) united.set(identity, column);
    }
  }
  return [...united.values()];
}

/** For each of the wanted columns, where it stands among others; -1 where it does not. */
export function columnPlaces(wanted: readonly FileColumn[], among: readonly FileColumn[]): number[] {
  const places = columnIdentities(among);
  return columnIdentities(wanted).map((identity) => places.indexOf(identity));
}

/** What a column is known by: its field, else its name. The second column of a name is another one than the first. */
export function columnIdentities(columns: readonly FileColumn[]): string[] {
  const times = new Map<string, number>();
  return columns.map(([name, field]) => {
    if (field !== '') return `field ${field}`;
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return `${time} ${name}`;
  });
}
