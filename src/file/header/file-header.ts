import type { Field, PayrunColumn } from '../../domain/row.ts';
import { removeMark } from '../../domain/text/formula-mark.ts';
import type { Encoding } from '../bytes/encoding.ts';
import type { ProblemLog } from '../problem-log.ts';
import type { FileRecord } from '../rows/records.ts';
import type { SkippedLine } from '../rows/skipped-lines.ts';
import { columnReference } from './column-names.ts';
import { type ColumnMapping, type MappingChoices, mapColumns } from './map-columns.ts';
import { phoneOrAccount, phoneOrAccountFields } from './phone-or-account.ts';

/** What is known of a file once its header was read. */
export interface FileHeader {
  readonly encoding: Encoding;
  readonly delimiter: string;
  /** The physical line of the column names. */
  readonly line: number;
  readonly skippedAbove: readonly SkippedLine[];
  /** The input columns as written, our own payrun_ columns left out: a row's `cells` stand in this order. */
  readonly columns: readonly string[];
  /** Which of `columns` is which field. */
  readonly fieldColumns: Readonly<Partial<Record<Field, number>>>;
  /** The input columns that are no field and pass through. */
  readonly otherColumns: readonly string[];
  /** Our own columns that the file has; with `payrun_batch` it is a results or retry file of ours. */
  readonly payrunColumns: readonly PayrunColumn[];
  /** The defaults that stand in for absent columns. */
  readonly defaults: Readonly<Partial<Record<Field, string>>>;
  /** The mapping as config `columns` takes it, for `--save-map`. */
  readonly savedColumns: Readonly<Record<string, Field | typeof phoneOrAccount>>;
}

export interface ReadHeader {
  readonly header: FileHeader;
  readonly mapping: ColumnMapping;
  /** The file is of our own writing, so its cells carry our marks against formulas. */
  readonly isOurs: boolean;
  /** All the file's columns as written, ours among them. */
  readonly names: readonly string[];
}

/** Makes the header of the file's line of column names. */
export function readHeader(
  record: FileRecord,
  known: Pick<FileHeader, 'encoding' | 'delimiter' | 'skippedAbove'>,
  choices: MappingChoices,
  problems: ProblemLog,
  firstRows: readonly FileRecord[] = [],
): ReadHeader {
  const isOurs = record.cells.includes('payrun_batch');
  const names = isOurs ? record.cells.map(removeMark) : record.cells;
  const firstCells = firstRows.map(({ cells }) => cells);
  const mapping = mapColumns(names, record.line, choices, problems, firstCells);
  const ours = new Set(mapping.payrunColumns.values());
  const inputs = [...names.keys()].filter((index) => !ours.has(index));
  const taken = new Set(mapping.fieldColumns.values());
  const entries = [...mapping.fieldColumns];
  const header: FileHeader = {
    ...known,
    line: record.line,
    columns: inputs.map((index) => names[index] ?? ''),
    fieldColumns: Object.fromEntries(entries.map(([field, index]) => [field, inputs.indexOf(index)])),
    otherColumns: inputs.filter((index) => !taken.has(index)).map((index) => names[index] ?? ''),
    payrunColumns: [...mapping.payrunColumns.keys()],
    defaults: absentDefaults(mapping, choices),
    savedColumns: Object.fromEntries(
      entries.map(([field, index]) => [columnReference(names, index), savedName(field, entries)]),
    ),
  };
  return { header, mapping, isOurs, names };
}

function savedName(
  field: Field,
  columns: readonly (readonly [Field, number])[],
): Field | typeof phoneOrAccount {
  const of = new Map(columns);
  const isBoth = of.get('phoneNumber') === of.get('accountNumber');
  return isBoth && phoneOrAccountFields.some((each) => each === field) ? phoneOrAccount : field;
}

/** A default stands in for a column that is not there, never for an empty cell. */
function absentDefaults(mapping: ColumnMapping, choices: MappingChoices): Partial<Record<Field, string>> {
  const defaults = { ...choices.configDefaults, ...choices.flagDefaults };
  for (const field of mapping.fieldColumns.keys()) delete defaults[field];
  return defaults;
}
