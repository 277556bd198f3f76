import { join, resolve } from 'node:path';
import { batchNameFromFile, parseBatchName } from '../../../src/domain/batch-name.ts';
import { seededChance } from '../../support/chance.ts';
import type { Violation } from '../oracle.ts';
import { pick } from './damage-bytes.ts';
import { telltaleIn } from './telltale.ts';

/** Names made of the pieces of path tricks: none of them may lead out of the folder, or act on a terminal. */
export function judgeNames(seed: number, count: number): Violation[] {
  const chance = seededChance(seed + 77);
  const violations: Violation[] = [];
  for (let index = 0; index < count; index += 1) {
    const text = Array.from({ length: 1 + Math.floor(chance() * 6) }, () => pick(pieces, chance)).join('');
    for (const parsed of [parseBatchName(text), batchNameFromFile(text)]) {
      const said = 'name' in parsed ? parsed.name : parsed.problem;
      const trouble = telltaleIn(said) ?? ('name' in parsed ? strayOf(parsed.name) : undefined);
      if (trouble !== undefined)
        violations.push({ kind: 'leak', replay: `batch name ${JSON.stringify(text)}`, text: trouble });
    }
  }
  return violations;
}

const folder = '/srv/payroll';

function strayOf(name: string): string | undefined {
  const place = resolve(join(folder, `${name}.results.csv`));
  if (place !== `${folder}/${name}.results.csv`) return `its results would go to ${place}`;
  if (/[/\\:*?"<>|]/.test(name)) return `${name} holds a sign that paths are made of`;
  if (/^[-.~]/.test(name)) return `${name} reads as a flag or a hidden file`;
  return Buffer.byteLength(`${name}.results.csv`) > 512 ? 'it is longer than file names are' : undefined;
}

const pieces = [
  '..',
  '/',
  '\\',
  '../',
  '..\\',
  '/etc/passwd',
  'C:',
  'CON',
  'nul.csv',
  '~',
  '-',
  '--yes',
  '.',
  '\0',
  '\n',
  '\u001b[2J',
  '\u009b',
  '\u202e',
  '\u200b',
  '\u2215',
  '\uff0f',
  '\ufe68',
  '%2e%2e%2f',
  '$(id)',
  '`id`',
  "';--",
  '|',
  '*',
  ' ',
  'payroll',
  '2026-11',
  'é',
  'e\u0301',
  '\u0430',
  '{yyyy}',
  'x'.repeat(60),
  'é'.repeat(50),
] as const;
