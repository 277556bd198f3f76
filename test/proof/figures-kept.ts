import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CampaignFigures } from './campaign.ts';

/** What a campaign came to, and the state of payrun that it was thrown at. */
export interface KeptFigures {
  readonly figures: CampaignFigures;
  readonly seconds: number;
  readonly seed: number;
  readonly source: string;
  /** What was thrown, and how. */
  readonly proof: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, '.soak');

/** Of the last time that the whole of a campaign was thrown at payrun and broke nothing. */
export function keptFigures(name: string): KeptFigures | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as KeptFigures;
  } catch {
    return undefined;
  }
}

export function keepFigures(name: string, kept: KeptFigures): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(kept, undefined, 2)}\n`);
}

/** All that payrun is made of, as one number. */
export const sourceDigest = (): string => digestOf('src');

/** All that the campaigns are made of. */
export const proofDigest = (): string => digestOf(join('test', 'proof'));

function digestOf(part: string): string {
  const digest = createHash('sha256');
  const top = join(root, part);
  for (const name of readdirSync(top, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.ts')) digest.update(name).update(readFileSync(join(top, name)));
  }
  return digest.digest('hex').slice(0, 12);
}
