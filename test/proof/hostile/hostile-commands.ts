import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { exitCode } from '../../../src/errors.ts';
import { sampleOf } from '../crash/lanes.ts';
import type { Violation } from '../oracle.ts';
import { formulaCommands, markCommands } from './injection-commands.ts';
import { pathCommands } from './path-commands.ts';
import { telltaleIn } from './telltale.ts';
import { type Watched, watchPayrun } from './watch-payrun.ts';

/** Where a hostile command is run: its own folder, and one beside it that it must leave alone. */
export interface Ground {
  readonly here: string;
  readonly outside: string;
  /** Of two rows, paid by the embedded service. */
  readonly file: string;
}

export interface HostileCommand {
  readonly name: string;
  readonly args: (ground: Ground) => readonly string[];
  readonly exits: readonly number[];
  readonly input?: () => Readable;
  readonly prepare?: (ground: Ground) => void;
  readonly mostMegabytes?: number;
  /** What else is wrong, in half a sentence. */
  readonly judge?: (ground: Ground, watched: Watched) => string | undefined;
}

export function commandKinds(): Readonly<Record<string, readonly HostileCommand[]>> {
  return {
    endless: endlessCommands,
    formula: formulaCommands,
    mark: markCommands,
    path: pathCommands,
  };
}

const fewestOfAKind = 2;

/** All of them for a share of 1; a sample has two of each kind at least, others for another seed. */
export function hostileCommands(share: number, seed: number): readonly HostileCommand[] {
  return Object.values(commandKinds()).flatMap((commands, kind) =>
    sampleOf(commands, Math.max(share, fewestOfAKind / commands.length), seed * 1_000_003 + kind),
  );
}

const limitMs = 300_000;

export async function runHostileCommand(command: HostileCommand): Promise<Violation[]> {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'payrun-hostile-'));
  const ground = {
    here: join(root, 'here'),
    outside: join(root, 'outside'),
    file: join(root, 'here', 'two.csv'),
  };
  try {
    mkdirSync(ground.here);
    mkdirSync(ground.outside);
    writeFileSync(join(ground.outside, 'precious'), precious);
    writeFileSync(ground.file, twoRows);
    command.prepare?.(ground);
    const watched = await watchPayrun(command.args(ground), {
      cwd: ground.here,
      input: command.input?.(),
      limitMs,
    });
    return troubles(command, ground, watched).map(([kind, text]) => ({
      kind,
      replay: `command "${command.name}"`,
      text: `${text}; stderr: ${watched.stderr.slice(0, 500)}`,
    }));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function* troublesOf(
  { exits, mostMegabytes = 400, judge }: HostileCommand,
  ground: Ground,
  watched: Watched,
): Generator<[Violation['kind'], string]> {
  const { exit, stdout, stderr, peakMegabytes } = watched;
  if (exit === null) yield ['stuck', `did not end within ${limitMs} ms`];
  else if (exit === exitCode.unexpected || !exits.includes(exit))
    yield ['crash', `exit ${exit}, expected ${exits.join(' or ')}`];
  if (peakMegabytes > mostMegabytes) yield ['crash', `took ${Math.round(peakMegabytes)} MB`];
  const telltale = telltaleIn(stdout) ?? telltaleIn(stderr);
  if (telltale !== undefined) yield ['leak', telltale];
  const left = readdirSync(ground.outside);
  if (left.join() !== 'precious' || readFileSync(join(ground.outside, 'precious'), 'utf8') !== precious)
    yield ['leak', `wrote outside its place: ${left.join(', ')}`];
  const more = judge?.(ground, watched);
  if (more !== undefined) yield ['lie', more];
}

function troubles(...parameters: Parameters<typeof troublesOf>): [Violation['kind'], string][] {
  return [...troublesOf(...parameters)];
}

const precious = 'nobody may touch this\n';
const header = 'paymentId,accountName,country,currency,amount,phoneNumber';
const twoRows = `${header}\nP1,Amina Otieno,KE,KES,100.00,+254712000101\nP2,John Kamau,KE,KES,200.00,+254712000102\n`;

const megabyte = 1024 * 1024;

/**
 * So much of the same text, in pieces; without end where no size is given. Each piece waits for a turn of the loop: a pipe
 * whose reader has just gone says yes to everything, and would be filled until no memory is left.
 */
function stream(beginning: string, piece: string, bytes = Number.POSITIVE_INFINITY): Readable {
  const chunk = Buffer.from(piece.repeat(Math.ceil((64 * 1024) / piece.length)));
  return Readable.from(
    (async function* () {
      if (beginning !== '') yield Buffer.from(beginning);
      for (let sent = 0; sent < bytes; sent += chunk.length) {
        await nextTurn();
        yield chunk;
      }
    })(),
  );
}

function piped(name: string, input: () => Readable, exits: readonly number[] = [65]): HostileCommand {
  return { name, input, exits, args: () => ['validate', '-'], mostMegabytes: 350 };
}

const endlessCommands: readonly HostileCommand[] = [
  piped('an endless line', () => stream('', 'payroll')),
  piped('an endless line of empty cells', () => stream(`${header}\n`, ',')),
  piped('an endless cell in quotes', () => stream(`${header}\nP1,"`, 'Amina Otieno\n')),
  piped('an endless header', () => stream('', 'amount,')),
  piped('an endless number', () => stream(`${header}\nP1,Amina Otieno,KE,KES,1`, '0')),
  piped('zeros without end', () => stream('', '\0')),
  piped('quotes without end', () => stream(`${header}\n`, '"')),
  piped('chance without line ends', () => stream('', '\u00e9\u0930x;|')),
  piped('a million columns', () => stream('', 'c,', 2 * 1_000_000)),
  piped('half a million columns', () => stream('', 'c,', 1_000_000)),
  piped('a cell of 100 MB', () => stream(`${header}\nP1,`, 'x', 100 * megabyte)),
  piped('blank lines by the thousand', () => stream(`${header}\n`, '\n', 20_000)),
  piped('rows that are no rows by the thousand', () => stream(`${header}\n`, 'x\n', 20_000)),
  piped('bytes that are no text', () => stream('', '\u0001\u0002\u0003', megabyte)),
  piped('nothing', () => Readable.from([])),
];
