import { statSync } from 'node:fs';
import type { Argv } from 'yargs';
import { exitCode, PayrunError } from '../../errors.ts';
import type { FileOptions } from '../../index.ts';
import { listFlag } from './flag-kinds.ts';
import { countFlag } from './number-flags.ts';

/** How a file is read: the same flags for validate, plan and run. */
export interface FileFlags {
  file: string;
  map: string[];
  default: string[];
  encoding: string | undefined;
  delimiter: string | undefined;
  decimal: 'point' | 'comma' | undefined;
  batch: string | undefined;
  'allow-shared': number;
  'save-map': string | undefined;
  problems: string | undefined;
}

export function withFileFlags<Flags>(yargs: Argv<Flags>) {
  return (
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'A CSV file, or - for stdin' })
      // Without this a lone dash reads as a flag and comes out empty.
      .nargs('file', 1)
      .option('map', listFlag('A column to a field: "Net Pay=amount"; "Net Pay=none" to leave it out'))
      .option('default', listFlag('For an absent column: country=KE'))
      .option('save-map', {
        type: 'string',
        describe: 'Write columns and defaults as configuration to this file',
      })
      .option('encoding', {
        type: 'string',
        describe: 'utf-8, utf-16le, utf-16be or windows-1252; default by content',
      })
      .option('delimiter', { type: 'string', describe: 'comma, semicolon, tab or pipe; default by content' })
      .option('decimal', {
        choices: ['point', 'comma'] as const,
        describe: 'The sign before the decimals of amounts, in the whole file',
      })
      .option('batch', {
        type: 'string',
        describe: 'Name of the batch; default the file’s name. {yyyy} {MM} {dd} are filled',
      })
      .option('allow-shared', {
        type: 'number',
        default: 0,
        describe: 'One number may stand under this many names, anywhere in the file',
      })
      .option('problems', { type: 'string', describe: 'Write all problems as CSV to this file' })
  );
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
  if (isFolder(file))
    throw new PayrunError('file-missing', exitCode.fileMissing, `${file} is a folder, not a file.`);
  return file;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
