import { existsSync } from 'node:fs';
import { jsonPlace } from './domain/text/json-place.ts';
import { PayrunError } from './errors.ts';
import { readTrustedFile } from './storage/trusted-file.ts';
import { configPath } from './workspace.ts';

const mostBytes = 1024 * 1024;

/**
 * From `--config`, else from the workspace, never from the current folder: a stray file must not steer money. Undefined
 * where there is none, or where it says nothing: then nobody need load what checks it.
 */
export function readConfig(given?: string, workspace?: string) {
  const path = given ?? (workspace === undefined ? undefined : configPath(workspace));
  if (path === undefined || (given === undefined && !existsSync(path))) return undefined;
  const content = jsonIn(path);
  return JSON.stringify(content) === '{}' ? undefined : { path, content };
}

function jsonIn(path: string): unknown {
  let text: string;
  try {
    // Windows editors put a byte-order mark in front.
    text = readTrustedFile(path, mostBytes).replace(/^\ufeff/, '');
  } catch (error) {
    throw configInvalid(path, (error as Error).message);
  }
  // Where it went wrong, and never what stands there: it may be the key file that was named by mistake.
  const place = jsonPlace(text);
  if (place) throw configInvalid(path, `it is not JSON (line ${place.line}, column ${place.column})`);
  return JSON.parse(text);
}

export function configInvalid(path: string, detail: string): PayrunError {
  return new PayrunError('config-invalid', `The configuration ${path} cannot be used: ${detail}`);
}
