import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { GivenApproval } from '../../index.ts';
import { readTextFile } from './read-plan-file.ts';

const ending = '.approval.json';

/** Where an approval of a plan goes: beside it, so that a run finds it. */
export function approvalPath(plan: string, key: string): string {
  return join(dirname(plan), `${stemOf(plan)}.${key.replace(/^ed25519:/, '').slice(0, 8)}${ending}`);
}

/** Those that lie beside the plan, and those that were named. */
export function readApprovals(plan: string, named: readonly string[]): GivenApproval[] {
  const folder = dirname(plan);
  const beside = readdirSync(folder)
    .filter((name) => name.startsWith(`${stemOf(plan)}.`) && name.endsWith(ending))
    .map((name) => join(folder, name));
  const paths = [...new Set([...beside, ...named].map((path) => join(path)))].sort();
  return paths.map((path) => ({ from: path, text: readTextFile('approval', path) }));
}

function stemOf(plan: string): string {
  return basename(plan).replace(/\.json$/, '');
}
