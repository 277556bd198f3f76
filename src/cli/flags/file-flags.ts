import { statSync } from 'node:fs';
import type { Argv, InferredOptionTypes } from 'yargs';
import { PayrunError } from '../../errors.ts';
import type { FileOptions } from '../../index.ts';
import { listFlag, textFlag } from './flag-kinds.ts';
import { inGroup } from './in-group.ts';
import { countFlag } from './number-flags.ts';

/** How a file is read: the same flags for validate, plan and run. */
export const fileFlags = inGroup('Reading the file', {
  map: listFlag('Use a column as a field: "Net Pay=amount"; "Net Pay=none" ignores it'),
  default: listFlag('Value for a column that the file does not have: country=KE'),
  'save-map': textFlag('Save columns and defaults in this file, for --config'),
  encoding: textFlag('utf-8, utf-16le, utf-16be or windows-1252; default: seen from the content'),
  delimiter: textFlag('comma, semicolon, tab or pipe; default: seen from the content'),
  decimal: { choices: ['point', 'comma'], describe: 'Decimal sign of all amounts in the file' },
  batch: textFlag('Name of the batch; default: the name of the file. {yyyy} {MM} {dd} become the date'),
  'allow-shared': { type: 'number', default: 0, describe: 'Allow one number under this many names' },
  problems: textFlag('Write all problems to this file, as CSV'),
} as const);

export type FileFlags = InferredOptionTypes<typeof fileFlags> & { file: string };

const fileWords = { type: 'string', describe: 'A CSV file, or - for stdin' } as const;

export function withFile<Flags>(yargs: Argv<Flags>) {
  return (
    yargs
      .positional('file', { ...fileWords, demandOption: true })
      // Without this a lone dash reads as a flag and comes out empty.
      .nargs('file', 1)
  );
}

/** The same where something else may name the file. */
export function withFileOrNone<Flags>(yargs: Argv<Flags>) {
  return yargs.positional('file', fileWords).nargs('file', 1);
}

/** Everything that reading and judging a file needs to be told. */
export function fileOptions(flags: FileFlags): FileOptions {
  return {
    map: flags.map,
    defaults: flags.default,
    encoding: flags.encoding,
    delimiter: flags.delimiter,
    decimal: flags.decimal,
    allowShared: countFlag('--allow-shared', flags['allow-shared']),
    batch: flags.batch,
  };
}

/** A folder is said at once, before anything else is done. What cannot even be looked at is said when it is opened. */
export function sourceOf(file: string): string | NodeJS.ReadStream {
  if (file === '-') return process.stdin;
  if (isFolder(file)) throw new PayrunError('file-missing', `${file} is a folder, not a file.`);
  return file;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
