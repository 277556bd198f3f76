import { statSync, writeFileSync } from 'node:fs';
import type { Argv } from 'yargs';
import type { Config } from '../config.ts';
import { exitCode, PayrunError } from '../errors.ts';
import type { DraftOptions } from '../pipeline/draft-file.ts';
import { durationFlag } from './duration-flag.ts';

/** How a file is read: the same flags for validate, plan and run. */
export interface FileFlags {
  map: string[];
  default: string[];
  encoding: string | undefined;
  delimiter: string | undefined;
  decimal: 'point' | 'comma' | undefined;
  batch: string | undefined;
  'allow-shared': number;
  'save-map': string | undefined;
  'repeat-window': string | undefined;
  config: string | undefined;
}

export function withFileFlags<Flags>(yargs: Argv<Flags>) {
  return yargs
    .option('map', {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      describe: 'A column to a field: "Net Pay=amount"',
    })
    .option('default', {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      describe: 'For an absent column: country=KE',
    })
    .option('encoding', {
      type: 'string',
      describe: 'utf-8, utf-16le, utf-16be or windows-1252; default by content',
    })
    .option('delimiter', { type: 'string', describe: 'comma, semicolon, tab or pipe; default by content' })
    .option('decimal', {
      choices: ['point', 'comma'] as const,
      describe: 'What parts the decimals of amounts',
    })
    .option('batch', {
      type: 'string',
      describe: 'Name of the batch; default the file’s name. {yyyy} {MM} {dd} are filled',
    })
    .option('allow-shared', {
      type: 'number',
      default: 0,
      describe: 'One number may stand under this many names',
    })
    .option('save-map', { type: 'string', describe: 'Write the mapping of columns as config to this file' })
    .option('repeat-window', { type: 'string', describe: 'How long ago counts as again (5d)' })
    .option('config', {
      type: 'string',
      describe: 'payrun.config.json to use; default the one in the workspace',
    });
}

export function draftOptions(flags: FileFlags, config: Config, nowMs: number): DraftOptions {
  return {
    map: flags.map,
    defaults: flags.default,
    encoding: flags.encoding,
    delimiter: flags.delimiter,
    decimal: flags.decimal,
    config: { columns: config.columns, defaults: config.defaults },
    banks: config.banks ?? {},
    allowShared: flags['allow-shared'],
    batch: flags.batch,
    timeZone: config.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    nowMs,
    repeatWindowMs: durationFlag('--repeat-window', flags['repeat-window'] ?? config.repeatWindow ?? '5d'),
  };
}

/** `--save-map`: what was found and decided, so that next month's command needs no flags. */
export function saveMap(
  path: string,
  columns: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, string>>,
): void {
  try {
    writeFileSync(path, `${JSON.stringify({ columns, defaults }, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new PayrunError(
      'cannot-write',
      exitCode.cannotCreate,
      `--save-map cannot write ${path}: ${(error as Error).message}.`,
    );
  }
}

/** A folder or a missing file is said at once, before anything else is done. */
export function sourceOf(file: string): string | NodeJS.ReadStream {
  if (file === '-') return process.stdin;
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isDirectory())
    throw new PayrunError('file-missing', exitCode.fileMissing, `${file} is a folder, not a file.`);
  return file;
}
