import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { hostileCallers } from './hostile-callers.ts';
import { commandKinds, hostileCommands } from './hostile-commands.ts';
import { hostileFiles } from './hostile-files.ts';
import { hostileService } from './hostile-service.ts';

const soak = fileURLToPath(new URL('../soak.ts', import.meta.url));
const seed = 1;
const filesShare = 0.012;
const samples = [
  { campaign: hostileFiles, share: filesShare },
  { campaign: hostileService, share: 0.05 },
  { campaign: hostileCallers, share: 0.03 },
];

describe('hostile input does no harm', () => {
  test('a sample has commands of every kind, and the whole has them all', () => {
    const all = Object.values(commandKinds());
    const counts = (share: number, ofSeed: number) => {
      const chosen = new Set(hostileCommands(share, ofSeed));
      return all.map((commands) => commands.filter((command) => chosen.has(command)).length);
    };
    expect(counts(filesShare, seed)).toEqual(all.map(() => 2));
    expect(counts(1, seed)).toEqual(all.map((commands) => commands.length));
    expect(counts(0.5, seed)).toEqual(all.map((commands) => Math.round(commands.length / 2)));
    const names = (ofSeed: number) => hostileCommands(filesShare, ofSeed).map(({ name }) => name);
    expect(names(seed)).toEqual(names(seed));
    expect(names(seed)).not.toEqual(names(seed + 1));
  });

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
      if (campaign === hostileFiles)
        expect(stdout).toContain(`${hostileCommands(share, seed).length} hostile commands`);
      for (const [what, least] of Object.entries(campaign.atLeast)) {
        const [, count] = new RegExp(`\\b(\\d+) ${what}\\b`).exec(stdout) ?? [];
        expect(Number(count), what).toBeGreaterThan((least * share) / 2);
      }
    });
  }
});
