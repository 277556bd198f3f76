import type { CommandModule } from 'yargs';
import { systemClock } from '../clock.ts';
import { loadConfig } from '../config.ts';
import { decimalOf, showMoney } from '../domain/show-money.ts';
import { exitCode } from '../errors.ts';
import { openEmptyJournal } from '../journal/open-journal.ts';
import { type DraftedFile, draftFile } from '../pipeline/draft-file.ts';
import { problemReport } from '../report/problem-report.ts';
import { draftOptions, type FileFlags, saveMap, sourceOf, withFileFlags } from './file-flags.ts';
import { firstRepairs, writeList, writeProblemFile } from './problem-output.ts';

interface Flags extends FileFlags {
  file: string;
  json: boolean;
  problems: string | undefined;
}

export const validateCommand: CommandModule<object, Flags> = {
  command: 'validate <file>',
  describe: 'Check a file: every problem at once. No network, no workspace',
  builder: (yargs) =>
    withFileFlags(
      yargs.positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'A CSV file, or - for stdin',
      }),
    )
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
      .option('problems', { type: 'string', describe: 'Write the problems as CSV to this file' }),
  handler: async (flags) => {
    const db = openEmptyJournal();
    const options = draftOptions(flags, loadConfig(flags.config, undefined), systemClock.nowMs());
    const drafted = await draftFile(db, sourceOf(flags.file), {
      ...options,
      batch: flags.batch ?? (flags.file === '-' ? 'stdin' : undefined),
    });
    const { header } = drafted.taken;
    if (flags['save-map'] !== undefined && header)
      saveMap(flags['save-map'], header.savedColumns, header.defaults);
    if (flags.problems !== undefined) await writeProblemFile(flags.problems, drafted.questions.problems());
    if (flags.json) writeJson(drafted, flags.file);
    else process.stdout.write(report(drafted, flags.file));
    process.exitCode = drafted.questions.counts().blocking === 0 ? exitCode.ok : exitCode.fileInvalid;
  },
};

/** Written piece by piece: a file of a million mistakes must not be held in memory. */
function writeJson({ questions }: DraftedFile, file: string): void {
  const { rows, blocking } = questions.counts();
  const totals = Object.fromEntries(
    questions
      .totals('currency')
      .map(({ currency, amountMinor }) => [currency, decimalOf(amountMinor, currency)]),
  );
  const head = JSON.stringify({ ok: blocking === 0, file, rows, totals });
  process.stdout.write(`${head.slice(0, -1)},"problems":[`);
  writeList(questions.problems());
  process.stdout.write('],"repairs":[');
  writeList(questions.repairs());
  process.stdout.write(']}\n');
}

function report({ questions, taken, reading }: DraftedFile, file: string): string {
  const { rows, valid, blocking, warnings } = questions.counts();
  const repairs = firstRepairs(questions.repairs());
  const totals = questions
    .totals('currency')
    .map(({ currency, amountMinor }) => showMoney(amountMinor, currency));
  const skipped = [...(taken.header?.skippedAbove ?? []), ...reading.facts.skipped];
  const parts = [
    skipped.length > 0
      ? `Skipped: ${skipped
          .slice(0, 10)
          .map(({ line, reason }) => `line ${line} (${reason})`)
          .join(', ')}${skipped.length > 10 ? ` and ${skipped.length - 10} more` : ''}`
      : '',
    problemReport(questions.problemGroups(), repairs.first, repairs.count),
    blocking === 0
      ? `${file}: all ${rows} rows can be paid${warnings > 0 ? ` (${warnings} warnings above)` : ''}. Total ${totals.join(', ')}.\nNext: payrun plan ${file}`
      : `${file}: ${valid} of ${rows} rows can be paid${totals.length > 0 ? ` (${totals.join(', ')})` : ''}; ${blocking} problems must be mended first. Nothing was sent.\nNext: mend the file and run payrun validate ${file} again${valid > 0 ? '; or pay only the sound rows with --skip-invalid' : ''}.`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
