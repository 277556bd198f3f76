import { fileURLToPath } from 'node:url';
import type { Queue } from './queue-servers.ts';

export interface ProgramPlace {
  readonly file: string;
  readonly origin: string;
  readonly concurrency: number;
  readonly folder: string;
  /** Whether it says what became of it. */
  readonly isTold?: boolean | undefined;
}

/** What is measured, each as a process of its own. */
interface Program {
  readonly says: string;
  readonly command: (place: ProgramPlace) => string[];
  /** What is done first and not measured; `seed` is a file of two people whom the measured file does not have. */
  readonly before?: (place: ProgramPlace, seed: string) => string[][];
  /** Every row of the file is paid by it. */
  readonly pays: boolean;
  /** Whose server it needs. */
  readonly queue?: Queue;
}

const payrun = pathOf('../dist/command/payrun.js');

export const programs = {
  payrun: {
    says: 'the whole run: validated, journaled, looked up, settled, with its results',
    command: (place) => payRun(place, 'measured'),
    before: (place, file) => [initOf(place), payRun({ ...place, file }, 'earlier')],
    pays: true,
  },
  'payrun, payees known': {
    says: 'the same people were paid once before',
    command: (place) => payRun(place, 'measured'),
    before: (place) => [initOf(place), payRun(place, 'earlier')],
    pays: true,
  },
  'script-undici': script('script-undici', 'read all, p-limit, undici; no journal'),
  'script-fetch': script('script-fetch', 'read all, p-limit, fetch; no journal'),
  'commit-per-step': script('commit-per-step', 'script-undici with one commit of SQLite a step'),
  'bare-client': script(
    'bare-client',
    'the same calls over a Pool, replies not parsed: the limit of one thread',
  ),
  'bare-journal': {
    ...script(
      'bare-journal',
      'the same calls and the same journal, nothing decided: the limit of a journaled run',
    ),
    before: (place, file) => [initOf(place), payRun({ ...place, file }, 'earlier')],
  },
  bullmq: onQueue('bullmq', 'a job a row, on Redis'),
  dbos: onQueue('dbos', 'a durable workflow a row, each call a step of it, on Postgres'),
  validate: reading('every row judged', ({ file }) => [payrun, 'validate', file]),
  'csv-parse': reading('the file read as a stream, nothing done with it', ({ file }) => [
    pathOf('./programs/csv-parse.mjs'),
    file,
  ]),
  node: reading('node that does nothing', () => ['-e', '0']),
  '--version': reading('', () => [payrun, '--version']),
  '--help': reading('', () => [payrun, '--help']),
  status: {
    says: 'the list of batches',
    command: (place) => [payrun, 'status', '--workspace', workspaceOf(place)],
    before: (place, file) => [initOf(place), payRun({ ...place, file }, 'earlier')],
    pays: false,
  },
} as const satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;

export function programOf(name: ProgramName): Program {
  return programs[name];
}

export function payRun(place: ProgramPlace, batch: string): string[] {
  const { file, folder, concurrency, isTold = false } = place;
  return [
    ...[payrun, 'run', file, '--batch', batch, '--results', `${folder}/${batch}.results.csv`],
    ...['--workspace', workspaceOf(place), '--concurrency', String(concurrency)],
    ...['--yes', '--max-total', 'KES=900000000000', '--allow-repeats', '1000000'],
    ...(isTold ? [] : ['--quiet']),
  ];
}

/** A command about the batch that was measured. */
export function batchCommand(command: 'resume' | 'results', place: ProgramPlace): string[] {
  return [payrun, command, 'measured', '--workspace', workspaceOf(place)];
}

export function initOf(place: ProgramPlace): string[] {
  return [payrun, 'init', '--workspace', workspaceOf(place)];
}

function script(name: string, says: string): Program {
  return { says, command: (place) => [pathOf(`./programs/${name}.mjs`), JSON.stringify(place)], pays: true };
}

function onQueue(queue: Queue, says: string): Program {
  return {
    says,
    command: (place) => [pathOf(`./queues/${queue}.mjs`), JSON.stringify(place)],
    pays: true,
    queue,
  };
}

function reading(says: string, command: Program['command']): Program {
  return { says, command, pays: false };
}

function workspaceOf({ folder }: ProgramPlace): string {
  return `${folder}/workspace`;
}

function pathOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
