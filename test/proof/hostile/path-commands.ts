import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ground, HostileCommand } from './hostile-commands.ts';

const paying = [
  'run',
  'two.csv',
  '--sandbox',
  '--yes',
  '--on-mismatch',
  'pay',
  '--settle-for',
  '5s',
] as const;

/** No batch of such a name is begun; where a name is merely odd, everything stays in its folder. */
const batchNames: Readonly<Record<string, readonly number[]>> = {
  '../outside/evil': [2],
  '/etc/evil': [2],
  '..': [2],
  '.': [2],
  '-rf': [2],
  '--yes': [2],
  '~root': [2],
  'a/b': [2],
  'a\\b': [2],
  'a\nb': [0],
  'a\u001b[2Jb': [2],
  'a\u202eb': [0, 2],
  '$(id)': [2],
  CON: [0],
  'nul.txt': [0],
  '{yyyy}/../../outside/x': [2],
  [`${'x'.repeat(5000)}`]: [2],
};

const batchCommands = Object.entries(batchNames).map(
  ([batch, exits]): HostileCommand => ({
    name: `batch ${JSON.stringify(batch.slice(0, 30))}`,
    args: () => [...paying, `--batch=${batch}`],
    exits,
  }),
);

interface Place {
  readonly path: (ground: Ground) => string;
  readonly prepare?: (ground: Ground) => void;
  readonly exits?: readonly number[];
}

/** Where nothing may be written: through a link, to what is no file, or where no file can be. */
const places: Readonly<Record<string, Place>> = {
  'a link to a file elsewhere': {
    path: ({ here }) => join(here, 'link.csv'),
    prepare: ({ here, outside }) => symlinkSync(join(outside, 'precious'), join(here, 'link.csv')),
  },
  'a link that leads nowhere': {
    path: ({ here }) => join(here, 'link.csv'),
    prepare: ({ here, outside }) => symlinkSync(join(outside, 'new'), join(here, 'link.csv')),
  },
  'a pipe': {
    path: ({ here }) => join(here, 'pipe'),
    prepare: ({ here }) => void execFileSync('mkfifo', [join(here, 'pipe')]),
  },
  'a device': { path: () => '/dev/full' },
  'a folder': {
    path: ({ here }) => join(here, 'folder'),
    prepare: ({ here }) => mkdirSync(join(here, 'folder')),
  },
  'a name that is too long': { path: () => `${'x'.repeat(300)}.csv` },
  'a folder that is not there': { path: () => 'no/such/place.csv' },
  'below a file': { path: () => 'two.csv/x.csv' },
  'a process file': { path: () => '/proc/self/mem' },
};

const flags: readonly (readonly [string, (path: string) => readonly string[]])[] = [
  ['--results', (path) => [...paying, `--results=${path}`]],
  ['--problems', (path) => ['validate', 'two.csv', `--problems=${path}`]],
  ['--out', (path) => ['plan', 'two.csv', '--sandbox', `--out=${path}`]],
];

const placeCommands = flags.flatMap(([flag, args]) =>
  Object.entries(places).map(
    ([name, place]): HostileCommand => ({
      name: `${flag}: ${name}`,
      args: (ground) => args(place.path(ground)),
      exits: [73],
      ...(place.prepare ? { prepare: place.prepare } : {}),
    }),
  ),
);

/** A second name of a file must keep what it has: the first may be replaced, never written through. */
const hardLinkCommands = flags.slice(1).map(
  ([flag, args]): HostileCommand => ({
    name: `${flag}: a second name of a file`,
    args: () => args('second.csv'),
    exits: [0],
    prepare: ({ here }) => {
      writeFileSync(join(here, 'first.csv'), 'first');
      linkSync(join(here, 'first.csv'), join(here, 'second.csv'));
    },
    judge: ({ here }) =>
      readFileSync(join(here, 'first.csv'), 'utf8') === 'first' ? undefined : 'it wrote through a hard link',
  }),
);

const inputCommands: readonly HostileCommand[] = [
  { name: 'a file that is not there', args: () => ['validate', 'nowhere.csv'], exits: [66] },
  { name: 'a folder as file', args: () => ['validate', '.'], exits: [66] },
  { name: 'a name that is too long as file', args: () => ['validate', 'x'.repeat(5000)], exits: [66] },
  { name: 'an escape in the file name', args: () => ['validate', '\u001b[2Jx\u202e.csv'], exits: [66] },
  { name: 'an escape in a flag', args: () => ['validate', 'two.csv', '--\u001b[2J'], exits: [2] },
  { name: 'an endless device as file', args: () => ['validate', '/dev/zero'], exits: [65] },
  { name: 'a file like a flag', args: () => ['validate', '--', '-x.csv'], exits: [66, 2] },
];

export const pathCommands: readonly HostileCommand[] = [
  ...batchCommands,
  ...placeCommands,
  ...hardLinkCommands,
  ...inputCommands,
];
