import { findPostgres } from '../../support/postgres.ts';
import type { CampaignFigures } from '../campaign.ts';
import { onProofGround, type ProofGround } from '../crash/proof-ground.ts';

/** A proof ground for what needs Postgres, with where its programs are; skipped where there are none. */
export function onPostgresGround(
  work: (ground: ProofGround, programs: string) => Promise<CampaignFigures>,
): Promise<CampaignFigures> {
  return onProofGround(async (ground) => {
    const programs = findPostgres();
    if (programs !== undefined) return work(ground, programs);
    return { counts: {}, violations: [], skipped: { postgres: 'no Postgres is installed' } };
  });
}
