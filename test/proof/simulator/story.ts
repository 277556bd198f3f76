import { existsSync, rmSync } from 'node:fs';
import type { Say } from './commands.ts';
import type { Machine } from './machine.ts';
import type { Oddities } from './oddities.ts';
import type { Office } from './office.ts';
import type { Payroll } from './payroll.ts';
import type { World } from './world.ts';

export interface StoryParts {
  readonly world: World;
  readonly machine: Machine;
  readonly office: Office;
  readonly main: Payroll;
  readonly second: Payroll;
  readonly chance: () => number;
  readonly quietMs: number;
  readonly oddities: Oddities;
  /** Whether this is a moment for what was called failed to be paid after all. */
  readonly isLate: () => boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Beyond it a copy of a file is a payment of its own, and nobody could tell otherwise. */
const copyWithinMs = 4 * dayMs;
const mostRounds = 8;

/**
 * What happens to one payroll: it is run, the machine dies, people run it again, edit it, decide, lose the journal, while
 * the service does what the weather has it do. Then the weather clears up, and everything must come to an end by itself.
 */
export async function tellStory(parts: StoryParts): Promise<void> {
  const { world, machine, office, main, second, chance, quietMs, oddities, isLate } = parts;
  const { time, service } = world;
  const pick = <Value>(from: readonly Value[]): Value => from[Math.floor(chance() * from.length)] as Value;
  const copies: Payroll[] = [];
  const olderCopies: ReturnType<Machine['save']>[] = [];
  const walls = { leastMs: time.wallMs(), mostMs: time.wallMs() };
  let forgetful = false;
  let secondBegun = false;
  let edited = false;

  const jump = (byMs: number) => {
    time.jumpWall(byMs);
    world.tell(undefined, `the clock on the wall jumps by ${byMs / 1000} s`);
  };
  const watchWall = () => {
    walls.leastMs = Math.min(walls.leastMs, time.wallMs());
    walls.mostMs = Math.max(walls.mostMs, time.wallMs());
  };
  const oneJump = () => {
    const far = main.pattern === undefined && copies.length === 0;
    jump(pick([hourMs, -hourMs, dayMs, -dayMs, 5 * minuteMs, ...(far ? [6 * dayMs, 40 * dayMs] : [])]));
    watchWall();
  };
  const signal = (): AbortSignal => {
    const controller = new AbortController();
    if (chance() < 0.08) time.after(chance() * 3 * minuteMs, () => controller.abort());
    return controller.signal;
  };
  const how = () => ({
    settings: {
      concurrency: pick([1, 2, 4, 8]),
      lookup: chance() < 0.1 ? ('always' as const) : ('auto' as const),
    },
    sameBatch: chance() < 0.6,
    signal: signal(),
  });
  const anyBatch = () => pick([...office.batches.keys()]);

  const loseJournal = async () => {
    const kept = chance() < 0.4 ? [] : olderCopies;
    forgetful = true;
    // What is still on its way, or not shown yet, no look-up of a new journal can know of.
    await time.pass(2 * quietMs);
    if (kept.length === 0) {
      world.tell(undefined, 'the journal is lost');
      for (const ending of ['', '-wal', '-shm']) rmSync(`${machine.journal}${ending}`, { force: true });
    } else {
      world.tell(undefined, 'the journal is restored from an older copy');
      machine.restore(pick(kept));
    }
    await office.forgot();
    return kept.length > 0 || (await oddities.forge());
  };

  // To a row that was corrected since, a payment that failed is nothing: it is named and waits for a person.
  const reviveSome = () => {
    if (!edited && main.pattern === undefined) world.reviveSome(isLate);
  };

  const copyMain = async () => {
    const tooLate =
      time.wallMs() - walls.leastMs > copyWithinMs || walls.mostMs - walls.leastMs > copyWithinMs;
    if (forgetful || tooLate || main.pattern !== undefined) return office.run(main, how());
    const name = `${main.batch}-copy${copies.length + 1}`;
    // What failed is paid in another batch, as people do, while the service may change its mind about it.
    const failed = rowsOf(office).filter((row) => row.batch === main.batch && row.status === 'failed');
    const part = failed.length > 0 ? main.only(new Set(failed.map(({ key }) => key))) : {};
    const copy: Payroll = { ...main, batch: name, fileName: `${name}.csv`, ...part };
    copies.push(copy);
    return office.run(copy, how());
  };

  const fedBack = () => {
    const name = main.pattern === undefined ? main.batch : undefined;
    const paths = [
      name && office.resultsPath(name),
      name && office.resultsPath(name).replace('.results.', '.retry.'),
    ];
    const file = pick(paths);
    return office.run(main, { ...how(), ...(file && existsSync(file) && { file }) });
  };

  const person = () => {
    const say = decisionOf(parts, chance);
    return say ? office.decide(say.batch, say.say) : office.resume(undefined, how());
  };

  const command = (): Promise<unknown> => {
    if (isLate()) return person();
    const dice = chance();
    if (dice < 0.34) return office.run(main, how());
    if (dice < 0.6) return office.resume(chance() < 0.5 ? undefined : anyBatch(), how());
    if (dice < 0.7) {
      edited = true;
      world.tell(undefined, `edited: ${main.edit()}`);
      return office.run(main, how());
    }
    if (dice < 0.85) return person();
    if (dice < 0.9) return copyMain();
    if (dice < 0.94) return fedBack();
    secondBegun = true;
    return office.run(second, how());
  };

  const begin = () => {
    if (chance() < 0.6) machine.dieAfter(Math.floor(chance() ** 2 * 160));
    if (chance() < 0.1) time.after(chance() * 10 * minuteMs, () => oneJump());
  };

  if (!(await oddities.forge())) return;
  begin();
  if (!(await office.go(office.run(main, how())))) return;
  // What lands late of a run that has ended kills nothing any more.
  machine.dieAfter(Number.POSITIVE_INFINITY);
  const steps = 1 + Math.floor(chance() * 4);
  for (let step = 0; step < steps; step += 1) {
    if (chance() < 0.3) await time.pass(chance() * pick([minuteMs, 10 * minuteMs, 2 * hourMs]));
    if (chance() < 0.15) oneJump();
    if (chance() < 0.25) olderCopies.push(machine.save());
    if (chance() < 0.06 && main.pattern === undefined && copies.length === 0 && !(await loseJournal()))
      return;
    if (chance() < 0.2) service.returnSome();
    reviveSome();
    watchWall();
    if (!(await oddities.between())) return;
    begin();
    const together = chance() < 0.12 ? [command(), command()] : [command()];
    if (!(await office.go(...together))) return;
    machine.dieAfter(Number.POSITIVE_INFINITY);
    watchWall();
  }
  reviveSome();
  await end(parts, [main, ...copies, ...(secondBegun ? [second] : [])], walls);
}

/** The weather clears up; from here on nothing may stand in the way. */
async function end(
  parts: StoryParts,
  payrolls: readonly Payroll[],
  walls: { readonly leastMs: number; readonly mostMs: number },
): Promise<void> {
  const { world, office, quietMs, oddities } = parts;
  const { time, service } = world;
  world.tell(undefined, 'the weather clears up');
  world.weather.clearUp();
  world.dropStuck();
  service.calmDown();
  service.topUp(1e12);
  if (!(await oddities.settleNames())) return;
  /** Undefined where something did not come to an end; else whether every file was taken. */
  const carryOn = async (): Promise<boolean | undefined> => {
    let taken = true;
    for (const payroll of payrolls.filter(({ pattern }) => pattern === undefined)) {
      const run = office.run(payroll, { sameBatch: true });
      if (!(await office.go(run))) return undefined;
      taken &&= await run;
    }
    // A run carries on whatever its file names; what no file brings back is for a resume.
    if (taken && payrolls.every(({ pattern }) => pattern === undefined)) return true;
    return (await office.go(office.resume(undefined))) ? taken : undefined;
  };
  let finished = false;
  for (let round = 0; round < mostRounds; round += 1) {
    const before = world.counts.payouts;
    const failedBefore = failedRows(office);
    const taken = await carryOn();
    if (taken === undefined) return;
    const sent = world.counts.payouts - before;
    if (finished && sent > 0)
      world.violate('double', `a finished batch was run again and sent ${sent} payouts`);
    const open = unknownRows(office);
    const isOpen = anyOpen(office) || isAnyDoubled(world);
    if (round > 0 && !isOpen && sent === 0) break;
    // A row that was edited while its payout was on its way is a correction as soon as that one has failed or is refused.
    finished = taken && !isOpen && failedRows(office) <= failedBefore;
    for (const each of open) {
      // Of what no look-up can tell, a refusal proves nothing; nor does one before a send that may have left.
      const isTold = !untold.has(each.code) && !office.wasCutOff(each.reference);
      if (isTold && world.wasPlainlyRefused(each.reference))
        world.violate(
          'lie',
          `${each.batch}/${each.key} is called unknown, and the service has only refused it`,
        );
      if (!(await settleUnknown(parts, each, round))) return;
    }
    if (isOpen) await time.pass(Math.max(10 * minuteMs, 2 * quietMs));
  }
  // A day later paid ones are read again; beyond two weeks nobody looks any more.
  time.jumpWall(walls.mostMs - time.wallMs() + 25 * hourMs);
  const returnsNoticed = walls.mostMs - walls.leastMs < 10 * dayMs;
  if (!(await office.go(office.resume(undefined)))) return;
  await office.judgeAll(returnsNoticed);
  await oddities.forgeElsewhere();
}

interface NamedRow {
  readonly batch: string;
  readonly key: string;
  readonly status: string;
  readonly reference: string;
  readonly code: string;
}

function rowsOf(office: Office): NamedRow[] {
  return [...office.batches.keys()].flatMap((batch) =>
    (office.resultsOf(batch) ?? []).map((row) => ({
      batch,
      key: row['payrun_key'] ?? '',
      status: row['payrun_status'] ?? '',
      reference: row['payrun_reference'] ?? '',
      code: row['payrun_code'] ?? '',
    })),
  );
}

function failedRows(office: Office): number {
  return rowsOf(office).filter(({ status }) => status === 'failed' || status === 'refused').length;
}

function unknownRows(office: Office): NamedRow[] {
  return rowsOf(office).filter(({ status }) => status === 'unknown');
}

function anyOpen(office: Office): boolean {
  return rowsOf(office).some(
    ({ status }) => status === 'pending' || status === 'not_sent' || status === 'unknown',
  );
}

/** Codes of what a look-up at a service that ignores its filter leaves behind. */
const untold: ReadonlySet<string> = new Set(['look-up-untold', 'reference-of-another']);

/** Of what the service did twice one may be paid, and the other is still on its way. */
function isAnyDoubled({ service }: World): boolean {
  const ledger = service.oddities.siblings === 0 ? [] : service.ledger();
  const doubled = new Set(ledger.filter(({ isSibling }) => isSibling).map(({ reference }) => reference));
  return ledger.some(({ reference, status }) => doubled.has(reference) && status === 'PENDING');
}

/** A person who asks the service before saying anything. */
function truthAbout({ world }: StoryParts, { batch, key }: NamedRow) {
  const isOf = (reference: string) => {
    const meaning = world.meaningOf(reference);
    return meaning?.batch === batch && meaning.key === key;
  };
  const entries = world.service.ledger().filter((entry) => isOf(entry.reference));
  return entries.find((entry) => entry.status !== 'FAILED') ?? entries.at(-1);
}

/**
 * What no look-up decides, a person does: with the transaction, or by saying that there is none. Where a further send was
 * granted in vain, it is no use to grant another.
 */
async function settleUnknown(parts: StoryParts, row: NamedRow, round: number): Promise<boolean> {
  const { world, office, chance } = parts;
  const { batch, key } = row;
  const entry = truthAbout(parts, row);
  const nothingLeft = !world.mayStillLand(batch, key);
  const first: Say = entry
    ? { verb: 'paid', key, transactionId: entry.transactionId }
    : { verb: nothingLeft && (chance() < 0.5 || round > 2) ? 'not-paid' : 'release', key };
  if (!(await office.go(office.decide(batch, first)))) return false;
  const still = unknownRows(office).some((each) => each.batch === batch && each.key === key);
  if (entry && still) await office.go(office.decide(batch, { verb: 'not-paid', key }));
  return office.go(office.decide(batch, { verb: 'retry', key }));
}

function decisionOf(parts: StoryParts, chance: () => number): { batch: string; say: Say } | undefined {
  const { world, office } = parts;
  const rows = rowsOf(office).filter(({ status }) => status !== 'paid' && status !== 'pending');
  const row = rows[Math.floor(chance() * rows.length)];
  if (!row) return undefined;
  const { batch, key, status } = row;
  switch (status) {
    case 'failed':
    case 'refused':
    case 'returned':
    case 'cancelled':
      return { batch, say: { verb: 'retry', key } };
    case 'held':
      // It would be paid twice, because somebody said so.
      if (row.code === 'repeats-since') return { batch, say: { verb: 'cancel', key } };
      return { batch, say: { verb: chance() < 0.7 ? 'release' : 'cancel', key } };
    case 'not_sent':
      return { batch, say: { verb: 'cancel', key } };
    case 'unknown': {
      const entry = truthAbout(parts, row);
      if (entry) return { batch, say: { verb: 'paid', key, transactionId: entry.transactionId } };
      const settled = !world.mayStillLand(batch, key);
      return { batch, say: { verb: settled && chance() < 0.5 ? 'not-paid' : 'release', key } };
    }
    default:
      return undefined;
  }
}
