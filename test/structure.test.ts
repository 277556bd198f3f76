import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src/', import.meta.url));

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

const imports = files.flatMap((from) =>
  [...readFileSync(join(source, from), 'utf8').matchAll(/(?:from|import)\s+'(\.[^']+)'/g)].map(
    ([, target]) => ({
      from,
      to: relative(source, resolve(dirname(join(source, from)), target ?? '')),
    }),
  ),
);

/** What each room may import. A room is the longest listed prefix of a path. */
const mayImport: Record<string, readonly string[]> = {
  'domain/text/': ['domain/text/'],
  'domain/reference-data/': ['domain/reference-data/', 'domain/text/'],
  'domain/names/': ['domain/names/', 'domain/reference-data/', 'domain/text/'],
  'domain/': ['domain/'],
  'file/': ['file/', 'domain/', 'errors.ts'],
  'service/contract/': ['service/contract/', 'domain/'],
  'service/': ['service/', 'domain/', 'clock.ts', 'errors.ts', 'when-aborted.ts'],
  'sandbox/': [
    'sandbox/',
    'service/contract/',
    'domain/',
    'clock.ts',
    'errors.ts',
    'storage/group-commit.ts',
    'storage/private-file.ts',
  ],
  'journal/': [
    'journal/',
    'domain/',
    'clock.ts',
    'errors.ts',
    'storage/group-commit.ts',
    'storage/private-file.ts',
  ],
  'pipeline/': [
    'pipeline/',
    'file/',
    'journal/',
    'service/',
    'domain/',
    'clock.ts',
    'errors.ts',
    'error-codes.ts',
  ],
  'decisions/': ['decisions/', 'journal/', 'domain/', 'clock.ts', 'errors.ts'],
  // What people look at: values of every stage, and nothing that acts.
  'report/': [
    'report/',
    'pipeline/',
    'decisions/',
    'journal/',
    'file/',
    'domain/',
    'errors.ts',
    'workspace.ts',
  ],
  'cli/': [''],
  'index.ts': [''],
  'logger.ts': ['pipeline/run/run-events.ts', 'domain/text/', 'errors.ts', 'storage/private-file.ts'],
  '': [
    'domain/',
    'errors.ts',
    'error-codes.ts',
    'clock.ts',
    'storage/trusted-file.ts',
    'when-aborted.ts',
    'workspace.ts',
  ],
};

function roomOf(file: string): string {
  return Object.keys(mayImport).reduce(
    (best, room) => (file.startsWith(room) && room.length > best.length ? room : best),
    '',
  );
}

describe('the structure', () => {
  test('imports point one way: cli, then pipeline, then journal and service, then domain', () => {
    expect(imports.length).toBeGreaterThan(50);
    const wrong = imports.filter(
      ({ from, to }) => !mayImport[roomOf(from)]?.some((room) => to.startsWith(room)),
    );
    expect(wrong).toEqual([]);
  });

  test('numbered stages do not import each other', () => {
    const stage = /^pipeline\/\d-/;
    expect(imports.filter(({ from, to }) => stage.test(from) && stage.test(to))).toEqual([]);
  });

  test('files are not named after nothing in particular', () => {
    const vague = /(^|\/)(utils?|helpers?|types|common|misc|index|manager|impl)\.ts$/;
    expect(files.filter((name) => vague.test(name) && name !== 'index.ts')).toEqual([]);
  });

  test('process and argv have their home in cli', () => {
    const wrong = files.filter(
      (name) =>
        !name.startsWith('cli/') &&
        /\bprocess\.(argv|exit|stdout|stderr|env)\b/.test(readFileSync(join(source, name), 'utf8')),
    );
    expect(wrong).toEqual([]);
  });
});
