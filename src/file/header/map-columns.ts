import { type Field, fields, type PayrunColumn, payrunColumns } from '../../domain/row.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { ProblemLog } from '../problem-log.ts';
import { type ColumnChoice, usage } from './column-choice.ts';
import { columnReference, columnsNamed } from './column-names.ts';
import { countryCodeColumn } from './country-code-column.ts';
import { fieldLabels, fieldOfHeader, headerKey } from './header-aliases.ts';
import { namesPhoneOrAccount, phoneOrAccount, phoneOrAccountFields } from './phone-or-account.ts';
import { requireColumns } from './require-columns.ts';
import { suggestColumns } from './suggest-columns.ts';

/** What the file's columns are. Indexes count the file's columns from 0, ours among them. */
export interface ColumnMapping {
  readonly fieldColumns: ReadonlyMap<Field, number>;
  readonly payrunColumns: ReadonlyMap<PayrunColumn, number>;
}

/** What a person said about the columns: flags first, the config where the flags are silent. */
export interface MappingChoices {
  readonly flags: readonly ColumnChoice[];
  readonly config: readonly ColumnChoice[];
  readonly flagDefaults: Readonly<Partial<Record<Field, string>>>;
  readonly configDefaults: Readonly<Partial<Record<Field, string>>>;
}

/** Finds the column of every field, and says all that is unclear about it; nothing that matters is guessed. */
export function mapColumns(
  header: readonly string[],
  line: number,
  choices: MappingChoices,
  problems: ProblemLog,
  firstRows: readonly (readonly string[])[] = [],
): ColumnMapping {
  const ours = mapPayrunColumns(header, line, problems);
  const free = new Set(header.keys());
  for (const index of ours.values()) free.delete(index);
  const fieldColumns = new Map<Field, number>();
  applyFlags(header, choices.flags, free, fieldColumns);
  const ambiguous = new Set<Field>();
  const settle = (candidates: ReadonlyMap<Field, readonly number[]>) => {
    for (const [field, indexes] of candidates) {
      const [index] = indexes;
      if (indexes.length > 1) {
        ambiguous.add(field);
        reportAmbiguous(header, line, field, indexes, problems);
      } else if (index !== undefined) fieldColumns.set(field, index);
      for (const each of indexes) free.delete(each);
    }
  };
  const decided = (field: Field) => fieldColumns.has(field) || ambiguous.has(field);
  const given = (field: Field) =>
    decided(field) ||
    choices.flagDefaults[field] !== undefined ||
    choices.configDefaults[field] !== undefined;
  settle(candidatesOfConfig(header, choices.config, free, fieldColumns));
  settle(candidatesByName(header, free, decided));
  const both = takePhoneOrAccount(header, free, fieldColumns, decided);
  preferFullName(header, line, fieldColumns, problems);
  // Where a person has said nothing about the country, not even by a default.
  const countryCodes = given('country') ? undefined : countryCodeColumn(header, free, firstRows);
  if (countryCodes !== undefined) settle(new Map<Field, number[]>([['country', [countryCodes]]]));
  warnOfTakenId(header, line, choices, fieldColumns, problems);
  const suggested = suggestColumns(header, line, free, given, problems);
  requireColumns(
    header,
    line,
    { decided, given, suggested, free, both, firstRows },
    choices.flagDefaults,
    problems,
  );
  return { fieldColumns, payrunColumns: ours };
}

/** Whoever maps the id away changes what makes a payment the same payment, and may not mean to. */
function warnOfTakenId(
  header: readonly string[],
  line: number,
  choices: MappingChoices,
  fieldColumns: ReadonlyMap<Field, number>,
  problems: ProblemLog,
): void {
  if (fieldColumns.has('paymentId')) return;
  for (const { header: name, field } of [...choices.flags, ...choices.config]) {
    const index = fieldColumns.get(field as Field);
    const text = header[index ?? -1] ?? '';
    if (field === 'paymentId' || headerKey(text) !== headerKey(name)) continue;
    if (fieldOfHeader(text)?.field !== 'paymentId') continue;
    problems.add('payment-id-taken', {
      line,
      column: text,
      message: `--map takes "${readableText(text)}" as ${fieldLabels[field as Field]}. By its name it is the payment id, and now no column is: payments are told apart by phone or account number alone. If that is not meant, leave that --map out.`,
      value: text,
    });
  }
}

function mapPayrunColumns(
  header: readonly string[],
  line: number,
  problems: ProblemLog,
): Map<PayrunColumn, number> {
  const found = new Map<PayrunColumn, number>();
  for (const [index, text] of header.entries()) {
    const exact = payrunColumns.find((name) => name === text);
    if (exact === undefined) {
      const near = /^\s*payrun/i.test(text)
        ? payrunColumns.find((name) => headerKey(name) === headerKey(text))
        : undefined;
      if (near === undefined) continue;
      problems.add('payrun-column-misspelt', {
        line,
        column: text,
        message: `The column "${readableText(text)}" looks like payrun's own ${near}, which tells payments apart, but is spelt otherwise. Rename it to ${near}, or remove it.`,
        value: text,
      });
    } else if (found.has(exact)) {
      problems.add('header-ambiguous', {
        line,
        column: text,
        message: `The column ${exact} is there twice. Remove one of the two.`,
        value: text,
      });
    } else found.set(exact, index);
  }
  return found;
}

function applyFlags(
  header: readonly string[],
  flags: readonly ColumnChoice[],
  free: Set<number>,
  fieldColumns: Map<Field, number>,
): void {
  const taken = new Set<number>();
  for (const { header: name, field } of flags) {
    const index = columnNamed(header, name, free);
    if (taken.has(index)) throw usage(`--map names the column "${name}" twice.`);
    taken.add(index);
    for (const each of fieldsOf(field)) {
      if (fieldColumns.has(each)) throw usage(`--map gives two columns for ${each}.`);
      fieldColumns.set(each, index);
    }
  }
  for (const index of taken) free.delete(index);
}

function columnNamed(header: readonly string[], name: string, free: ReadonlySet<number>): number {
  const matching = columnsNamed(header, name, free);
  const [index] = matching;
  if (index === undefined) {
    const names = [...free].map((each) => `"${readableText(columnReference(header, each))}"`).slice(0, 50);
    throw usage(`--map: the file has no column "${name}". Its columns are: ${names.join(', ')}.`);
  }
  if (matching.length > 1) {
    const numbers = matching.map((each) => `"#${each + 1}=…"`).join(' or ');
    throw usage(
      `--map: ${matching.length} columns are called "${name}". Name one by its number: --map ${numbers}.`,
    );
  }
  return index;
}

/** A config serves many files: a column that it names and this file lacks is no mistake. */
function candidatesOfConfig(
  header: readonly string[],
  config: readonly ColumnChoice[],
  free: Set<number>,
  fieldColumns: ReadonlyMap<Field, number>,
): Map<Field, number[]> {
  const candidates = new Map<Field, number[]>();
  for (const { header: name, field } of config) {
    for (const index of columnsNamed(header, name, free)) {
      if (field === 'none') free.delete(index);
      for (const each of fieldsOf(field)) if (!fieldColumns.has(each)) addCandidate(candidates, each, index);
    }
  }
  return candidates;
}

function fieldsOf(choice: ColumnChoice['field']): readonly Field[] {
  if (choice === phoneOrAccount) return phoneOrAccountFields;
  return choice === 'none' ? [] : [choice];
}

/** One column for both numbers, where there is none for either; whichever it is, the destination of the row says. */
function takePhoneOrAccount(
  header: readonly string[],
  free: Set<number>,
  fieldColumns: Map<Field, number>,
  decided: (field: Field) => boolean,
): number | undefined {
  if (!phoneOrAccountFields.some(decided)) {
    const named = [...free].filter((index) => namesPhoneOrAccount(header[index] ?? ''));
    const [only] = named;
    if (only === undefined || named.length > 1) return undefined;
    for (const field of phoneOrAccountFields) fieldColumns.set(field, only);
    free.delete(only);
  }
  const [phone, account] = phoneOrAccountFields.map((field) => fieldColumns.get(field));
  return phone === account ? phone : undefined;
}

function candidatesByName(
  header: readonly string[],
  free: ReadonlySet<number>,
  decided: (field: Field) => boolean,
): Map<Field, number[]> {
  const candidates = new Map<Field, number[]>();
  for (const index of free) {
    const field = fieldOfHeader(header[index] ?? '')?.field;
    if (field && !decided(field)) addCandidate(candidates, field, index);
  }
  return candidates;
}

function addCandidate(candidates: Map<Field, number[]>, field: Field, index: number): void {
  const indexes = candidates.get(field) ?? [];
  if (!indexes.includes(index)) indexes.push(index);
  candidates.set(field, indexes);
}

function reportAmbiguous(
  header: readonly string[],
  line: number,
  field: Field,
  indexes: readonly number[],
  problems: ProblemLog,
): void {
  const named = indexes.map((index) => `"${readableText(header[index] ?? '')}" (column ${index + 1})`);
  const commands = indexes.map((index) => `--map "${columnReference(header, index)}=${field}"`);
  problems.add('header-ambiguous', {
    line,
    column: header[indexes[0] ?? 0],
    message: `${indexes.length === 2 ? 'Two' : indexes.length} columns could be ${fieldLabels[field]}: ${named.join(' and ')}. Say which one it is: ${commands.join(' or ')}. The others are then copied to the results and not used.`,
    value: indexes.map((index) => header[index]).join(', '),
    remedy: commands[0],
  });
}

/** The name as the account has it is one text; parts of it are only put together where there is no such text. */
function preferFullName(
  header: readonly string[],
  line: number,
  fieldColumns: Map<Field, number>,
  problems: ProblemLog,
): void {
  const full = fieldColumns.get('accountName');
  const parts = fields.filter(
    (field) => (field === 'firstName' || field === 'lastName') && fieldColumns.has(field),
  );
  if (full === undefined || parts.length === 0) return;
  const names = parts
    .map((field) => `"${readableText(header[fieldColumns.get(field) ?? 0] ?? '')}"`)
    .join(' and ');
  for (const field of parts) fieldColumns.delete(field);
  problems.add('name-columns-both', {
    line,
    column: header[full],
    message: `The names are taken from "${readableText(header[full] ?? '')}"; ${names} are copied to the results and not used. To use those instead: --map "${columnReference(header, full)}=none".`,
    value: header[full],
  });
}
