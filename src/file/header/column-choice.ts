import { type Field, fields } from '../../domain/row.ts';
import { PayrunError } from '../../errors.ts';
import { headerKey } from './header-aliases.ts';
import { phoneOrAccount } from './phone-or-account.ts';

/**
 * A column and what it is: a field, `phoneOrAccount` as the destination of each row says, or `none`, which makes a column
 * pass through that would have been taken.
 */
export interface ColumnChoice {
  readonly header: string;
  readonly field: Field | typeof phoneOrAccount | 'none';
}

/** What each `--map "Net Pay=amount"` says. */
export function columnChoicesOfFlags(texts: readonly string[]): ColumnChoice[] {
  return texts.map((text) => {
    const sign = text.lastIndexOf('=');
    const header = text.slice(0, Math.max(0, sign)).trim();
    if (header === '')
      throw usage(`--map takes a column and a field, as in --map "Net Pay=amount"; got "${text}".`);
    return { header, field: columnNamed(text.slice(sign + 1), `--map "${text}"`, 'usage') };
  });
}

/** What `columns` of the config says. */
export function columnChoicesOfConfig(columns: Readonly<Record<string, string>>): ColumnChoice[] {
  return Object.entries(columns).map(([header, name]) => ({
    header,
    field: columnNamed(name, `"columns" of the config ("${header}")`, 'config-invalid'),
  }));
}

/** What each `--default country=KE` says. */
export function defaultsOfFlags(texts: readonly string[]): Partial<Record<Field, string>> {
  const values: Partial<Record<Field, string>> = {};
  for (const text of texts) {
    const { field, value } = defaultOf(text);
    if (values[field] !== undefined && values[field] !== value)
      throw usage(`--default gives two values for ${field}.`);
    values[field] = value;
  }
  return values;
}

function defaultOf(text: string): { readonly field: Field; readonly value: string } {
  const sign = text.indexOf('=');
  const value = sign < 0 ? '' : text.slice(sign + 1).trim();
  if (value === '')
    throw usage(`--default takes a field and a value, as in --default country=KE; got "${text}".`);
  const field = fieldNamed(text.slice(0, sign), `--default "${text}"`, 'usage');
  if (field === 'none') throw usage(`--default "${text}": "none" is not a field. ${fieldList}`);
  if (field === 'paymentId') throw usage(`--default "${text}": ${noDefaultId}`);
  return { field, value };
}

/** What `defaults` of the config says. */
export function defaultsOfConfig(defaults: Readonly<Record<string, string>>): Partial<Record<Field, string>> {
  const values: Partial<Record<Field, string>> = {};
  for (const [name, value] of Object.entries(defaults)) {
    const field = fieldNamed(name, '"defaults" of the config', 'config-invalid');
    if (field === 'paymentId') {
      const message = `"defaults" of the config: ${noDefaultId}`;
      throw new PayrunError('config-invalid', message);
    }
    if (field !== 'none' && value.trim() !== '') values[field] = value.trim();
  }
  return values;
}

/** A usage error about columns or defaults. */
export function usage(message: string): PayrunError {
  return new PayrunError('usage', message);
}

const noDefaultId =
  'paymentId cannot have a default: it tells the payments apart, so that every row needs one of its own. Add a column paymentId, or leave it out: then the phone or account number tells them apart.';
const fieldList = `The fields are: ${fields.join(', ')}.`;

function columnNamed(name: string, where: string, code: 'usage' | 'config-invalid'): ColumnChoice['field'] {
  return headerKey(name) === headerKey(phoneOrAccount) ? phoneOrAccount : fieldNamed(name, where, code);
}

function fieldNamed(name: string, where: string, code: 'usage' | 'config-invalid'): Field | 'none' {
  const key = headerKey(name);
  if (key === 'none') return 'none';
  const field = fields.find((each) => headerKey(each) === key);
  if (field) return field;
  throw new PayrunError(code, `${where}: "${name.trim()}" is not a field. ${fieldList}`);
}
