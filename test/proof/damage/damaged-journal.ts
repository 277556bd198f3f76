import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededChance } from '../../support/chance.ts';
import type { Campaign, CampaignFigures } from '../campaign.ts';
import { judge, type MeantRow, type Violation } from '../oracle.ts';
import { type ServicesUnderProof, startServicesUnderProof } from '../service-under-proof.ts';
import { copyJournal, damages, type JournalCopy, leaveLog, restoreJournal } from './damages.ts';
import { type Desk, openDesk } from './desk.ts';

/**
 * A run is stopped halfway, its journal is damaged, and the same command is given again. Either the damage is noticed
 * and the run refuses or stops, or it does no harm because the service is asked; then the journal is put away, and the
 * same command pays the rest. Never a blind send, whichever it was.
 */
export const damagedJournal: Campaign = {
  name: 'damaged-journal',
  title:
    'the journal between two runs: bits flipped, log cut or deleted, an old copy restored, another batch’s journal, rows and events edited',
  atLeast: { damages: 200 },
  async run({ seed, share, say }): Promise<CampaignFigures> {
    const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'payrun-damage-'));
    const services = await startServicesUnderProof();
    try {
      const names = Object.keys(damages);
      const wanted = Math.max(names.length, Math.round(wholeCount * share));
      const cases = Array.from({ length: wanted }, (_, index) => ({
        kind: names[index % names.length] ?? '',
        seed: seed + index,
      }));
      const foreign = await foreignJournal(folder, services);
      const told: Told[] = [];
      const waiting = cases.values();
      const lane = async () => {
        for (const one of waiting) told.push(await tryDamage(folder, services, foreign, one));
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      say(
        `${told.filter(({ noticed }) => noticed).length} of ${told.length} damages were noticed before anything was sent`,
      );
      return {
        counts: {
          damages: told.length,
          noticed: told.filter(({ noticed }) => noticed).length,
          harmless: told.filter(({ noticed }) => !noticed).length,
        },
        violations: told.flatMap(({ violations }) => violations),
      };
    } finally {
      await services.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const wholeCount = 450;
/** Nearly all of the time is waiting for quiet periods. */
const lanes = 6;
const rowCount = 6;

interface Told {
  readonly noticed: boolean;
  readonly violations: readonly Violation[];
}

async function tryDamage(
  parent: string,
  services: ServicesUnderProof,
  foreign: JournalCopy,
  { kind, seed }: { readonly kind: string; readonly seed: number },
): Promise<Told> {
  const chance = seededChance(seed);
  const replay = `${kind}, seed ${seed}`;
  const dedupe = chance() < 0.75 ? 'off' : 'on';
  const service = await services.open({ dedupe, settleAfterMs: 50 });
  const desk = openDesk(join(parent, `case-${seed}`), service);
  const rows = rowsOf(rowCount);
  try {
    await service.faults(chance() < 0.5 ? 'lost-reply=0.3,on=createPayout' : '', String(seed));
    // The first run leaves an old copy; the second goes on, and its journal is the one that is damaged.
    await desk.run('november', rows, 1);
    const older = copyJournal(desk.journalFile);
    await leaveLog(desk.journalFile, () => desk.run('november', rows, 1 + Math.floor(chance() * 3)));
    await service.faults('');
    damages[kind]?.({ journalFile: desk.journalFile, older, foreign, chance });
    const after = await desk.run('november', rows);
    const spoke = [0, 3, 4, 5].includes(after.exit);
    const violations = [...(await heldAgainst(desk, service, rows, replay, spoke ? 'working' : 'silent'))];
    const noticed = after.exit !== 0 && after.exit !== 4;
    if (noticed || after.exit === 4) violations.push(...(await payTheRest(desk, service, rows, replay)));
    else violations.push(...(await heldAgainst(desk, service, rows, replay, 'finished')));
    return { noticed, violations };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { noticed: false, violations: [{ kind: 'crash', replay, text }] };
  } finally {
    desk.remove();
    await service.close();
  }
}

/** What the message of a damaged journal says to do: put it away. From then on the service's memory is the only one. */
async function payTheRest(
  desk: Desk,
  service: Parameters<typeof heldAgainst>[1],
  rows: readonly MeantRow[],
  replay: string,
): Promise<Violation[]> {
  restoreJournal(desk.journalFile, new Map());
  let last = await desk.run('november', rows);
  for (let again = 0; again < mostRuns && (last.exit === 4 || last.exit === 5); again += 1) {
    last = await desk.run('november', rows);
  }
  if (last.exit !== 0) {
    return [
      {
        kind: 'stuck',
        replay,
        text: `with the journal put away the run ends with ${last.exit} ${last.code}`,
      },
    ];
  }
  const before = (await service.ledger()).length;
  await desk.run('november', rows);
  const more = (await service.ledger()).length - before;
  const again: Violation[] =
    more === 0 ? [] : [{ kind: 'double', replay, text: `a finished batch, run again, moved ${more}` }];
  return [...again, ...(await heldAgainst(desk, service, rows, replay, 'finished'))];
}

const mostRuns = 4;

async function heldAgainst(
  desk: Desk,
  service: Awaited<ReturnType<ServicesUnderProof['open']>>,
  meant: readonly MeantRow[],
  replay: string,
  stage: 'silent' | 'working' | 'finished',
): Promise<Violation[]> {
  const ledger = await service.ledger();
  // A run that the damage stopped has left the results of the run before it: true when they were written.
  const claimed = stage === 'silent' ? undefined : desk.claims('november');
  return judge({ replay, meant, ledger, claimed, finished: stage === 'finished' });
}

async function foreignJournal(parent: string, services: ServicesUnderProof): Promise<JournalCopy> {
  const service = await services.open({ dedupe: 'on', settleAfterMs: 50 });
  const desk = openDesk(join(parent, 'foreign'), service);
  await desk.run('october', rowsOf(3));
  const copy = copyJournal(desk.journalFile);
  desk.remove();
  await service.close();
  return copy;
}

function rowsOf(count: number): MeantRow[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `P${index + 1}`,
    number: `+2547120${String(index + 101).padStart(5, '0')}`,
    currency: 'KES',
    amount: `${1001 + index}.00`,
  }));
}
