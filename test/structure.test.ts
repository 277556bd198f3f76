import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { longest } from './support/longest-first.ts';

const source = fileURLToPath(new URL('../src/', import.meta.url));

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

const importPattern = /(?:\bfrom\s+|\bimport\s+|\bimport\()'(\.[^']+)'/g;

/** Types count, and so do imports made only when they are needed: a room that is reached is reached. */
const imports = files.flatMap((from) =>
  [...readFileSync(join(source, from), 'utf8').matchAll(importPattern)].map(([, target]) => ({
    from,
    to: relative(source, resolve(dirname(join(source, from)), target ?? '')),
  })),
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
  'storage/': ['storage/', 'domain/text/', 'clock.ts', 'errors.ts'],
  'sandbox/': [
    'sandbox/',
    'service/contract/',
    'storage/',
    'domain/',
    'clock.ts',
    'errors.ts',
    'incoming-http.ts',
  ],
  'journal/': ['journal/', 'storage/', 'domain/', 'clock.ts', 'errors.ts'],
  'pipeline/': [
    'pipeline/',
    'file/',
    'journal/',
    'service/',
    'storage/',
    'domain/',
    'clock.ts',
    'errors.ts',
    'error-codes.ts',
  ],
  'decisions/': [
    'decisions/',
    'pipeline/look-up/',
    'pipeline/run/service-error.ts',
    'journal/',
    'service/',
    'domain/',
    'clock.ts',
    'errors.ts',
  ],
  'audit/': ['audit/', 'pipeline/', 'file/', 'journal/', 'service/', 'domain/', 'errors.ts'],
  'listen/': ['listen/', 'journal/', 'service/', 'domain/', 'clock.ts', 'errors.ts', 'incoming-http.ts'],
  // What people look at: values of every stage, and nothing that acts.
  'report/': [
    'report/',
    'pipeline/',
    'decisions/',
    'audit/',
    'journal/',
    'file/',
    'domain/',
    'errors.ts',
    'workspace.ts',
  ],
  'library/': [
    'library/',
    'pipeline/',
    'decisions/',
    'audit/',
    'listen/',
    'journal/',
    'service/',
    'sandbox/',
    'report/',
    'domain/',
    'clock.ts',
    'config.ts',
    'config-file.ts',
    'errors.ts',
    'workspace.ts',
  ],
  // A user of the library like any other: nothing else that acts, besides the sandbox that it can start.
  'cli/': [
    'cli/',
    'index.ts',
    'library/version.ts',
    'report/',
    'sandbox/',
    'service/contract/prefixes.ts',
    'storage/',
    'domain/',
    'clock.ts',
    'config.ts',
    'config-file.ts',
    'errors.ts',
    'error-codes.ts',
    'logger.ts',
    'workspace.ts',
  ],
  'index.ts': [''],
  'logger.ts': ['pipeline/run/run-events.ts', 'storage/', 'domain/text/', 'errors.ts'],
  '': [
    'config-file.ts',
    'domain/',
    'storage/',
    'errors.ts',
    'error-codes.ts',
    'exit-codes.ts',
    'clock.ts',
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
  test('imports point one way: cli, then the library, then pipeline, then journal and service, then domain', () => {
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

  test('what a stage uses does not know the stages', () => {
    const story = /^pipeline\/[^/]+\.ts$/;
    const wrong = imports.filter(
      ({ from, to }) => from.startsWith('pipeline/') && !story.test(from) && story.test(to),
    );
    expect(wrong).toEqual([]);
  });

  test('between acceptance and results nobody holds a database: the journal is asked by its verbs', () => {
    const between = /^pipeline\/(?:[4-7]-|run-stages|look-up\/|payee\/|send\/|settle\/|run\/)/;
    // Two open what the others are given; two have a scratch of their own, for lists of the service's.
    const opening = [
      'run/run-options.ts',
      'run/open-run.ts',
      'payee/account-list.ts',
      'payee/listed-accounts.ts',
    ].map((name) => `pipeline/${name}`);
    const asked = files.filter((name) => between.test(name) && !opening.includes(name));
    expect(asked.length).toBeGreaterThan(40);
    const holding = asked.filter((name) =>
      /JournalDatabase|better-sqlite3|\bdb\b/.test(readFileSync(join(source, name), 'utf8')),
    );
    expect(holding).toEqual([]);
  });

  test('no files import each other in a circle, not even for a type', () => {
    const seen = new Set<string>();
    const circles: string[] = [];
    const walk = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' > '));
      if (seen.has(file)) return;
      seen.add(file);
      for (const { from, to } of imports) if (from === file) walk(to, [...way, file]);
    };
    for (const file of files) walk(file, []);
    expect(circles).toEqual([]);
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

test('the test files that begin first are there', () => {
  const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  expect(longest.filter((name) => !tests.some((path) => path.endsWith(name)))).toEqual([]);
});
