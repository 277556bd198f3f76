import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import type { Campaign, CampaignFigures } from './campaign.ts';
import { campaigns } from './campaigns.ts';
import { keepFigures, keptFigures, sourceDigest } from './figures-kept.ts';
import { guaranteesText, type Proven } from './guarantees-text.ts';

/**
 * The whole proof: every campaign, one after the other, with a figure for everything that was tried. With --report the
 * figures go into docs/guarantees.md; they are written only if nothing was broken and nothing was left out.
 */
const page = fileURLToPath(new URL('../../docs/guarantees.md', import.meta.url));

const flags = await yargs(hideBin(process.argv))
  .usage('npm run soak -- [CAMPAIGN…]')
  .option('seed', { type: 'number', default: 20261115, describe: 'Of everything that is left to chance' })
  .option('share', { type: 'number', default: 1, describe: 'How much of each campaign: 1 is all of it' })
  .option('fresh', {
    type: 'boolean',
    default: false,
    describe: 'Throw again what was thrown at this very source before',
  })
  .option('report', {
    type: 'boolean',
    default: false,
    describe: 'Write the figures into docs/guarantees.md',
  })
  .strictOptions()
  .parseAsync();

const chosen = campaigns.filter(({ name }) => flags._.length === 0 || flags._.includes(name));
if (chosen.length === 0)
  throw new Error(`there are only these: ${campaigns.map(({ name }) => name).join(', ')}`);
const source = sourceDigest();
const proven: Proven[] = [];
for (const campaign of chosen) proven.push(await prove(campaign));
const broken = proven.filter(({ figures }) => figures.violations.length > 0);
const short = flags.share === 1 ? proven.flatMap(({ campaign, figures }) => missing(campaign, figures)) : [];
for (const line of short) say(`TOO LITTLE: ${line}`);
say(
  broken.length === 0
    ? 'Nothing was paid twice, lost or misreported.'
    : `BROKEN in ${broken.length} campaigns: see above.`,
);
if (flags.report) {
  const whole = chosen.length === campaigns.length && flags.share === 1;
  if (broken.length > 0 || short.length > 0 || !whole) say('The report is not written.');
  else writeFileSync(page, guaranteesText(readFileSync(page, 'utf8'), proven, { seed: flags.seed, source }));
}
process.exitCode = broken.length === 0 && short.length === 0 ? 0 : 1;

async function prove(campaign: Campaign): Promise<Proven> {
  say(`${campaign.name}: ${campaign.title}`);
  const kept = flags.fresh || flags.share !== 1 ? undefined : keptFigures(campaign.name, flags.seed, source);
  if (kept) {
    say(`  ${countsText(kept.figures)} in ${kept.seconds} s, before`);
    return { campaign, ...kept };
  }
  const begun = performance.now();
  const figures = await campaign.run({
    seed: flags.seed,
    share: flags.share,
    say: (line) => say(`  ${line}`),
  });
  for (const { kind, replay, text } of figures.violations) say(`  VIOLATION ${kind} [${replay}] ${text}`);
  for (const [what, why] of Object.entries(figures.skipped ?? {})) say(`  skipped ${what}: ${why}`);
  const seconds = Math.round((performance.now() - begun) / 1000);
  say(`  ${countsText(figures)} in ${seconds} s; ${figures.violations.length} violations`);
  if (flags.share === 1 && figures.violations.length === 0) {
    keepFigures(campaign.name, { figures, seconds, seed: flags.seed, source });
  }
  return { campaign, figures, seconds };
}

function countsText({ counts }: CampaignFigures): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}

function missing({ name, atLeast }: Campaign, { counts }: CampaignFigures): string[] {
  return Object.entries(atLeast)
    .filter(([what, least]) => (counts[what] ?? 0) < least)
    .map(([what, least]) => `${name}: ${counts[what] ?? 0} ${what}, at least ${least} are wanted`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
