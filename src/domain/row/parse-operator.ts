import type { Country } from '../reference-data/countries.ts';
import { operatorFrom } from '../reference-data/operator-words.ts';
import { readableText } from '../text/readable-text.ts';
import type { Cell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';

/**
 * The operator's id. Operators only ever warn: numbers move between them, and the rail finds its way by the
 * number. A name we do not know is left out, because a guessed id could be refused where none is needed.
 */
export function parseOperator(cell: Cell, country: Country, findings: RowFindings): string | undefined {
  const operator = operatorFrom(cell.text, country);
  if (operator !== undefined) return operator;
  return findings.problem(
    'operator-unknown',
    cell,
    `The operator ${readableText(cell.text)} is not known in ${country.name} (known: ${country.operators.map((each) => each.name).join(', ')}). The payment goes out by the phone number alone.`,
  );
}
