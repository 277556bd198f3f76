import type { Field } from '../../domain/row.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { ProblemLog } from '../problem-log.ts';
import { columnReference } from './column-names.ts';
import { fieldLabels, fieldOfHeader, offeredFieldOf, suggestedFieldOf } from './header-aliases.ts';

/** Says what unknown columns may be, and returns for each field the `--map` that was named first. */
export function suggestColumns(
  header: readonly string[],
  line: number,
  free: ReadonlySet<number>,
  given: (field: Field) => boolean,
  problems: ProblemLog,
): ReadonlyMap<Field, string> {
  const suggested = new Map<Field, string>();
  for (const index of free) {
    const text = header[index] ?? '';
    if (text.trim() === '' || text.length > 100 || fieldOfHeader(text)) continue;
    const offered = offeredFieldOf(text);
    const field = offered ?? suggestedFieldOf(text);
    if (field === undefined || given(field)) continue;
    const command = `--map "${columnReference(header, index)}=${field}"`;
    if (!suggested.has(field)) suggested.set(field, command);
    const message = offered
      ? offerOf(text, field, command)
      : `The column "${readableText(text)}" is not known and not used; it is copied to the results. If it is ${fieldLabels[field]}, run again with ${command}.`;
    problems.add(offered ? 'header-offered' : 'header-unknown', { line, column: text, message, value: text });
  }
  return suggested;
}

function offerOf(text: string, field: Field, command: string): string {
  const shown = `"${readableText(text)}"`;
  if (field === 'country') {
    return `The column ${shown} was not taken as the country, because it is often a dialing code. If it holds countries, run again with ${command}.`;
  }
  if (field === 'amount') {
    return `The column ${shown} was not taken as the amount, because it may be the pay before tax. If it is what each person gets, run again with ${command}.`;
  }
  if (field === 'accountName') {
    return `The column ${shown} was not taken as the payee's name, because it may hold numbers. If it holds names, run again with ${command}.`;
  }
  return `The column ${shown} was not taken as the payment id. If it is different on every row, and the same whenever the same payment is listed again, run again with ${command}.`;
}
