import { fields } from '../domain/row.ts';
import { counted } from '../domain/text/counted.ts';
import { readableText } from '../domain/text/readable-text.ts';
import type { FileReading } from '../file/file-reading.ts';
import type { FileHeader } from '../file/header/file-header.ts';

const linesShown = 10;
const columnsShown = 40;

/** How the file was understood: what each column is, what is not used, lines passed over, totals. */
export function readingReport({ header, facts }: FileReading): string {
  const lines = [
    ...(header ? headerParts.map((part) => part(header)) : []),
    skippedPart(facts),
    ...facts.controlTotals
      .filter(({ equal }) => equal)
      .map(
        ({ line, total, currency }) =>
          `Total: ${total} on line ${line} is the sum of the amounts${currency === undefined ? '' : ` in ${currency}`}.`,
      ),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

const headerParts = [columnsPart, narrationPart, unusedPart, keyPart, defaultsPart];

function columnsPart({ fieldColumns, columns }: FileHeader): string {
  const used = fields.flatMap((field) => {
    const index = fieldColumns[field];
    if (index === undefined) return [];
    const name = columns[index] ?? field;
    return [sameName(name, field) ? field : `${field} from "${readableText(name.trim())}"`];
  });
  return `Columns: ${used.join(', ')}.`;
}

/** People take it for what the payee gets to read. */
function narrationPart({ fieldColumns, defaults }: FileHeader): string {
  if (fieldColumns.narration === undefined && defaults.narration === undefined) return '';
  return 'The narration is not sent: the service takes none. It stays whole in the results.';
}

function unusedPart({ otherColumns }: FileHeader): string {
  const names = otherColumns.map((name) => readableText(name.trim())).filter((name) => name !== '');
  if (names.length === 0) return '';
  const more = names.length > columnsShown ? ` and ${names.length - columnsShown} more` : '';
  return `Not used, only copied to the results: ${names.slice(0, columnsShown).join(', ')}${more}.`;
}

function keyPart({ fieldColumns, payrunColumns }: FileHeader): string {
  if (fieldColumns.paymentId !== undefined || payrunColumns.includes('payrun_key')) return '';
  return 'No column is the payment id: the phone or account number tells the payments apart.';
}

function sameName(header: string, field: string): boolean {
  return header.replace(/[\s_-]/g, '').toLowerCase() === field.toLowerCase();
}

function defaultsPart({ defaults }: FileHeader): string {
  const filled = Object.entries(defaults).map(([field, value]) => `${field} ${readableText(value)}`);
  return filled.length === 0 ? '' : `For all rows: ${filled.join(', ')}.`;
}

function skippedPart({ skipped, skippedCounts }: FileReading['facts']): string {
  const told = skipped.filter(({ reason }) => reason !== 'blank' && reason !== 'separator line');
  const count = Object.values(skippedCounts).reduce((sum, each) => sum + each, 0);
  const blank = (skippedCounts.blank ?? 0) + (skippedCounts['separator line'] ?? 0);
  if (told.length === 0) return '';
  const shown = told
    .slice(0, linesShown)
    .map(({ line, reason, text }) => `line ${line} (${reason}: ${readableText(text)})`);
  const more = count - blank - shown.length;
  return `Skipped: ${shown.join(', ')}${more > 0 ? ` and ${counted(more, 'more line')}` : ''}.`;
}
