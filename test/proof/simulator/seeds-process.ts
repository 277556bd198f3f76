import { type SeedFigures, simulateSeeds } from './simulate-seeds.ts';

/** Every so-manieth seed of a range, for one lane of the campaign. */
const [first = 0, end = 0, step = 1] = process.argv.slice(2).map(Number);
const figures: SeedFigures = await simulateSeeds(first, end, step, (seeds) => process.send?.({ seeds }));
process.send?.({ figures }, () => process.disconnect());
