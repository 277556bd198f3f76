import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { hostileCallers } from './hostile-callers.ts';
import { hostileFiles } from './hostile-files.ts';
import { hostileService } from './hostile-service.ts';

const soak = fileURLToPath(new URL('../soak.ts', import.meta.url));
const seed = 1;
const samples = [
  { campaign: hostileFiles, share: 0.012 },
  { campaign: hostileService, share: 0.05 },
  { campaign: hostileCallers, share: 0.03 },
];

describe('hostile input does no harm', () => {
  for (const { campaign, share } of samples) {
    // Each in a process of its own, as the soak runs them: what it takes is what is measured, and nothing else's.
    test(`${campaign.title} (a sample)`, async () => {
      const wishes = [`--seed=${seed}`, `--share=${share}`];
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--import', 'tsx', soak, campaign.name, ...wishes],
        { maxBuffer: 16 * 1024 * 1024 },
      );
      expect(stdout).toMatch(/; 0 violations$/m);
      for (const [what, least] of Object.entries(campaign.atLeast)) {
        const [, count] = new RegExp(`\\b(\\d+) ${what}\\b`).exec(stdout) ?? [];
        expect(Number(count), what).toBeGreaterThan((least * share) / 2);
      }
    });
  }
});
