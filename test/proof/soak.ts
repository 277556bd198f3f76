import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import type { Campaign, CampaignFigures } from './campaign.ts';
import { campaigns } from './campaigns.ts';
import { keepFigures, keptFigures, proofDigest, sourceDigest } from './figures-kept.ts';
import { guaranteesText } from './guarantees-text.ts';
import { refuse } from './refuse.ts';
import { wishTrouble } from './wish-trouble.ts';

/**
 * The whole proof: every campaign, one after the other, with a figure for everything that was tried. It takes an hour: one
 * that was broken off carries on with what is missing, as long as payrun and the campaigns are the same. With --report the figures of the
 * last whole run of each campaign go into docs/guarantees.md.
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
  .requiresArg(['seed', 'share'])
  .strictOptions()
  .fail((message) => refuse(`${message}. Try: npm run soak -- --help`))
  .parseAsync();

const names = flags._.map(String);
const trouble = wishTrouble(
  { ...flags, names },
  campaigns.map(({ name }) => name),
);
if (trouble !== undefined) refuse(trouble);
const chosen = campaigns.filter(({ name }) => names.length === 0 || names.includes(name));
const [source, proof] = [sourceDigest(), proofDigest()];
let broken = 0;
for (const campaign of chosen) {
  if (!(chosen.length === 1 ? await holds(campaign) : inProcessOfItsOwn(campaign))) broken += 1;
}
say(
  broken === 0 ? 'Nothing was paid twice, lost or misreported.' : `BROKEN: ${broken} campaigns, see above.`,
);
if (flags.report) {
  const proven = campaigns.map((campaign) => ({ campaign, kept: keptFigures(campaign.name) }));
  writeFileSync(page, guaranteesText(readFileSync(page, 'utf8'), proven));
}
process.exitCode = broken === 0 ? 0 : 1;

/** What one leaves behind, in memory or under way, is nothing to the next. */
function inProcessOfItsOwn({ name }: Campaign): boolean {
  const { seed, share, fresh } = flags;
  const wishes = [`--seed=${seed}`, `--share=${share}`, `--fresh=${fresh}`];
  const program = fileURLToPath(import.meta.url);
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', program, name, ...wishes], {
    stdio: 'inherit',
  });
  return status === 0;
}

/** Whether the campaign broke nothing and was as large as it must be. */
async function holds(campaign: Campaign): Promise<boolean> {
  say(`${campaign.name}: ${campaign.title}`);
  const kept = keptFigures(campaign.name);
  const isSame = kept?.source === source && kept.proof === proof && kept.seed === flags.seed;
  if (!flags.fresh && flags.share === 1 && isSame) {
    say(`  ${countsText(kept.figures)} in ${kept.seconds} s, before`);
    return true;
  }
  const begun = performance.now();
  const { seed, share } = flags;
  const figures = await campaign.run({ seed, share, say: (line) => say(`  ${line}`) });
  for (const { kind, replay, text } of figures.violations) say(`  VIOLATION ${kind} [${replay}] ${text}`);
  for (const [what, why] of Object.entries(figures.skipped ?? {})) say(`  skipped ${what}: ${why}`);
  const seconds = Math.round((performance.now() - begun) / 1000);
  say(`  ${countsText(figures)} in ${seconds} s; ${figures.violations.length} violations`);
  const short = share === 1 ? missing(campaign, figures) : [];
  for (const line of short) say(`  TOO LITTLE: ${line}`);
  const isSound = figures.violations.length === 0 && short.length === 0;
  if (share === 1 && isSound) keepFigures(campaign.name, { figures, seconds, seed, source, proof });
  return isSound;
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
