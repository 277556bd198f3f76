import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CampaignFigures } from '../campaign.ts';
import { type ServicesUnderProof, startServicesUnderProof } from '../service-under-proof.ts';
import { buildShim } from './build-shim.ts';

/** What every campaign of this room stands on. */
export interface ProofGround {
  readonly folder: string;
  readonly shim: string;
  readonly services: ServicesUnderProof;
}

/** A folder, the shim and the services, for as long as the work takes; where there is no compiler, that is said. */
export async function onProofGround(
  work: (ground: ProofGround) => Promise<CampaignFigures>,
): Promise<CampaignFigures> {
  // In memory where the system has such a place: kill -9 and the shim cannot tell the difference.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'payrun-proof-'));
  try {
    const shim = buildShim(folder);
    if ('missing' in shim) return { counts: {}, violations: [], skipped: { gcc: shim.missing } };
    const services = await startServicesUnderProof();
    try {
      return await work({ folder, shim: shim.path, services });
    } finally {
      await services.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
