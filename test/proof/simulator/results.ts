import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

type Results = readonly Readonly<Record<string, string>>[];

/** A results file as anybody's reader of CSV gives it; undefined where there is none. */
export function readResults(path: string): Results | undefined {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8');
  if (text !== last.text) last = { text, rows: parse(text, { bom: true, columns: true }) };
  return last.rows;
}

/** Most runs change nothing, and the same file is looked at for several reasons. */
let last: { readonly text: string; readonly rows: Results } = { text: '', rows: [] };
