import type { Campaign } from '../campaign.ts';
import { sampleOf } from '../crash/lanes.ts';
import { mutants } from './mutants.ts';
import { runMutants } from './run-mutants.ts';

/** The harness itself: what it lets pass when payrun is broken is a lie about everything else. */
export const deliberateFaults: Campaign = {
  name: 'mutants',
  title: 'payrun itself: deliberate faults, one at a time, each of which must turn a named test red',
  atLeast: { 'faults red': 20 },
  async run({ seed, share, say }) {
    const { tried, red, survived } = await runMutants(sampleOf(mutants, share, seed), say);
    return {
      counts: { 'faults tried': tried, 'faults red': red.length },
      violations: survived.map((text) => ({ kind: 'lie', replay: text, text: `no test noticed: ${text}` })),
    };
  },
};
