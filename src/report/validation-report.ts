import { formatMoney } from '../domain/money/format-money.ts';
import { spoilsFile } from '../domain/problems/problem-kinds.ts';
import { counted } from '../domain/text/counted.ts';
import type { FileReading } from '../file/file-reading.ts';
import type { DraftedFile } from '../pipeline/draft/drafted-file.ts';
import { correctFirst } from './correct-first.ts';
import { problemReport } from './problem-report.ts';
import { readingReport } from './reading-report.ts';
import { dataRows } from './validation-document.ts';
import { validationRemedy } from './validation-remedy.ts';

/** What `validate` tells a person: how the file was read, everything wrong with it, the verdict and what to do next. */
export function validationReport(
  { questions, reading }: DraftedFile,
  file: string,
  commands: { readonly plan: string; readonly validate: string; readonly skipInvalid: string },
): string {
  const { valid, blocking, warnings } = questions.counts();
  const groups = questions.problemGroups();
  const rows = dataRows(questions);
  const totals = questions
    .totals('currency')
    .map(({ currency, amountMinor }) => formatMoney(amountMinor, currency))
    .join(', ');
  const parts = [readingReport(reading), problemReport(questions), ofOursPart(reading)];
  if (blocking === 0) {
    const noted =
      warnings === 0
        ? ''
        : ` Look at the ${warnings === 1 ? 'warning' : counted(warnings, 'warning')} above.`;
    parts.push(
      `${file}: ${rows === 1 ? 'the one row' : `all ${counted(rows, 'row')}`} can be paid. Total ${totals}.${noted}\nNext: ${commands.plan}`,
    );
  } else {
    const sound =
      rows === 0
        ? ''
        : `${valid} of ${counted(rows, 'row')} can be paid${totals === '' ? '' : ` (${totals})`}; `;
    const skip =
      valid > 0 && !questions.problemCodes().some(spoilsFile)
        ? `\nOr plan to pay only the valid rows: ${commands.skipInvalid}`
        : '';
    const flags = validationRemedy(groups);
    const again =
      flags.length > 0
        ? `\nOr, if ${flags.join(' ')} is right for it: ${[commands.validate, ...flags].join(' ')}`
        : '';
    parts.push(
      `${file}: ${sound}${counted(blocking, 'problem')} to be corrected first. Nothing was sent.\n${correctFirst(questions.problemCodes(), commands.validate)}${again}${skip}`,
    );
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Whoever corrects a retry file and hears that it can be paid has not heard what its batch says to it. */
function ofOursPart({ header }: FileReading): string {
  if (!header || header.payrunColumns.length === 0) return '';
  return 'A file that payrun wrote: what became of its rows, and whether a correction can be taken, validate does not ask. plan and run do.';
}
