import { columnIdentities, type FileColumn } from '../file-columns.ts';
import { type Field, nameFields } from '../row.ts';
import { type JournaledCells, payeeFields, type ReadCells, restoreDamage } from './spreadsheet-restore.ts';

/** What the cells of a row say together. */
export type Meaning = 'amount' | 'wallet' | 'payee' | 'name';

const fieldsOf: Readonly<Record<Meaning, ReadonlySet<FileColumn[1]>>> = {
  amount: new Set<Field>(['amount', 'currency']),
  wallet: new Set<Field>(['debitCurrency', 'debitCountry']),
  payee: payeeFields,
  name: new Set<Field>(nameFields),
};

export const meanings = Object.keys(fieldsOf) as readonly Meaning[];

/**
 * What nobody has touched in a row of ours that comes back: every column that says it, or said it when the row was taken
 * in, is there under its name with its old text. Columns go by their names here: which field they are is just what a
 * command without the flags of the first one would read otherwise.
 */
export function untouchedMeanings(journaled: JournaledCells, read: ReadCells): ReadonlySet<Meaning> {
  const names = new Set([...nameKeys(journaled.columns), ...nameKeys(read.columns)]);
  const was = cellsByName(journaled);
  const now = cellsByName(read);
  const touched = [...names].filter((name) => {
    const [before, after] = [was.get(name), now.get(name)];
    if (!before || !after) return true;
    return (restoreDamage(before.text, after.text, journaled.sound) ?? after.text) !== before.text;
  });
  const touchedFields = new Set<string | undefined>(
    touched.flatMap((name) => [was.get(name)?.field, now.get(name)?.field]),
  );
  return new Set(
    meanings.filter((meaning) => !Array.from(fieldsOf[meaning]).some((field) => touchedFields.has(field))),
  );
}

function cellsByName({ columns, cells }: Pick<ReadCells, 'columns' | 'cells'>) {
  const keys = nameKeys(columns);
  return new Map(
    keys.map((key, index) => [key, { field: columns[index]?.[1] ?? '', text: cells[index] ?? '' }] as const),
  );
}

function nameKeys(columns: readonly FileColumn[]): string[] {
  return columnIdentities(columns.map(([name]) => [name, '']));
}
