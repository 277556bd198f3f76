import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { misusedIn } from '../scripts/misused-promises.ts';

const declarations = `
  declare const proofs: { read(): Promise<boolean>; maybe(): Promise<boolean> | undefined };
  declare const list: number[];
  declare function later(act: () => void): void;
  declare function add(act: () => Promise<void>): void;
  declare function act(): Promise<void>;
  export {};`;

const misused = [
  ['a guard', 'if (!proofs.read()) list.push(1);'],
  ['a condition', 'const n = proofs.read() ? 1 : 2; list.push(n);'],
  ['one half of a condition', 'export const both = proofs.read() && list.length > 0;'],
  ['a loop', 'while (proofs.read()) list.pop();'],
  ['a comparison', 'export const isSo = proofs.maybe() === undefined;'],
  ['a text', `export const text = \`is it: \${proofs.read()}\`;`],
  ['parts', 'export const parts = { ...proofs.read() };'],
  ['a callback that nobody waits for', 'later(async () => { await act(); });'],
  ['forEach', 'list.forEach(async () => { await act(); });'],
  ['a call that nobody waits for', 'act();'],
] as const;

const fine = [
  ['what is awaited', 'if (!(await proofs.read())) await act();'],
  ['what is left alone on purpose', 'void act();'],
  ['a callback that is waited for', 'add(async () => { await act(); });'],
] as const;

/** Of all examples, which have something to be found: in one program, for that is what takes long. */
function foundIn(texts: readonly string[]): boolean[] {
  const nameOf = (index: number) => `/example-${index}.ts`;
  const names = texts.map((_, index) => nameOf(index));
  const host = ts.createCompilerHost({});
  const { readFile, fileExists, getSourceFile } = host;
  const textOf = (name: string) => {
    const text = texts[names.indexOf(name)];
    return text === undefined ? undefined : `${declarations}\n${text}\n`;
  };
  host.fileExists = (name) => textOf(name) !== undefined || fileExists(name);
  host.readFile = (name) => textOf(name) ?? readFile(name);
  host.getSourceFile = (name, version, ...more) => {
    const text = textOf(name);
    return text === undefined
      ? getSourceFile.call(host, name, version, ...more)
      : ts.createSourceFile(name, text, version);
  };
  const options = { strict: true, types: [], target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
  const found = misusedIn(ts.createProgram(names, options, host), (name) => names.includes(name));
  return names.map((name) => found.some(({ place }) => place.startsWith(`${name}:`)));
}

describe('a promise in the place of what it promises', () => {
  test('is found by the check of types, wherever the compiler lets it pass', () => {
    const missed = foundIn(misused.map(([, text]) => text));
    expect(misused.map(([what], index) => [what, missed[index]])).toEqual(
      misused.map(([what]) => [what, true]),
    );
  });

  test('is not seen where there is none', () => {
    const seen = foundIn(fine.map(([, text]) => text));
    expect(fine.map(([what], index) => [what, seen[index]])).toEqual(fine.map(([what]) => [what, false]));
  });
});
