import { fields } from '../domain/row.ts';
import { readableText } from '../domain/text/readable-text.ts';
import type { FileHeader } from '../file/file-header.ts';
import type { FileReading } from '../file/file-reading.ts';
import { counted } from './counted.ts';

const linesShown = 10;

/** How the file was understood, so far as that was not plain: columns by other names, lines passed over, totals. */
export function readingReport({ header, facts }: FileReading): string {
  const lines = [
    header ? columnsPart(header) : '',
    header ? defaultsPart(header) : '',
    skippedPart(facts),
    ...facts.controlTotals
      .filter(({ equal }) => equal)
      .map(({ line, total }) => `Total: ${total} on line ${line} is the sum of the amounts.`),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function columnsPart({ fieldColumns, columns }: FileHeader): string {
  const renamed = fields.flatMap((field) => {
    const index = fieldColumns[field];
    const name = index === undefined ? field : (columns[index] ?? field);
    return sameName(name, field) ? [] : [`${field} from "${readableText(name.trim())}"`];
  });
  return renamed.length === 0 ? '' : `Columns: ${renamed.join(', ')}.`;
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
