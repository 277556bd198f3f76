import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunSettings } from '../../../src/pipeline/run/run-context.ts';
import { seededChance } from '../../support/chance.ts';
import type { Violation } from '../oracle.ts';
import { policy } from './commands.ts';
import { createMachine } from './machine.ts';
import { createModelService, type Holder, type ServiceHabits } from './model-service.ts';
import { createOddities } from './oddities.ts';
import { openOffice } from './office.ts';
import { createPayroll, operators } from './payroll.ts';
import { quirksOf } from './quirks.ts';
import { createRightPayees } from './right-payees.ts';
import { tellStory } from './story.ts';
import { createVirtualTime } from './virtual-time.ts';
import { createWeather, type FaultKind } from './weather.ts';
import { createWorld } from './world.ts';

export interface SeedReport {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly trace: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  readonly virtualDays: number;
}

/** Mornings on which nothing is special, and moments just before a month, a year or a leap day ends. */
const beginnings = [
  Date.UTC(2026, 10, 12, 8),
  Date.UTC(2026, 10, 12, 8),
  Date.UTC(2028, 1, 28, 20, 50),
  Date.UTC(2028, 1, 29, 20, 55),
  Date.UTC(2026, 11, 31, 20, 58),
  Date.UTC(2026, 9, 31, 20, 50),
];

/** One seed from beginning to end: the same seed, the same story, to the last line of its trace. */
export async function simulate(seed: number): Promise<SeedReport> {
  const chance = seededChance(seed);
  const pick = <Value>(from: readonly Value[]): Value => from[Math.floor(chance() * from.length)] as Value;
  const time = createVirtualTime(pick(beginnings));
  const timeoutMs = pick([10_000, 30_000]);
  const quietPeriodMs = pick([60_000, 120_000]);
  const quietMs = Math.max(quietPeriodMs, 2 * timeoutMs);
  const quirks = quirksOf(seed);
  const usualLagMs = pick([0, 0, 3_000, quietMs / 4]);
  const listLagMs = quirks.lying > 0 ? usualLagMs || 3_000 : usualLagMs;
  const holders = new Map<string, Holder>();
  // In some histories a failure is not the last word: there many fail, and people try them again.
  const late = seededChance(seed * 17 + 3);
  const lateness = late() < 0.6 ? 0 : 0.5;
  const isLate = () => late() < lateness;
  const usual = habitsOf(chance, listLagMs);
  const habits: ServiceHabits = {
    ...usual,
    ...quirks.habits,
    ...(lateness > 0 && { failing: Math.max(usual.failing, 0.6) }),
  };
  const serviceChances = [seededChance(seed * 7 + 1), seededChance(seed * 37 + 13)] as const;
  const service = createModelService(time, serviceChances[0], habits, holders, serviceChances[1]);
  const weather = createWeather({
    time,
    chance: seededChance(seed * 13 + 5),
    dedupe: habits.dedupe,
    listsAtOnce: listLagMs === 0,
    lagIsSteady: habits.lagIsSteady,
    doubling: quirks.doubling,
    lying: quirks.lying,
    oddChance: seededChance(seed * 47 + 29),
    ignoreFilter: service.ignoreFilter,
    revokeTokens: service.revokeTokens,
  });
  const payees = createRightPayees(holders);
  const latestLandingMs = quietMs - listLagMs - 1_000;
  const world = createWorld({ seed, time, service, weather, payees, latestLandingMs });
  world.tell(undefined, `seed ${seed}: ${JSON.stringify({ ...habits, ...quirks, habits: undefined })}`);
  world.tell(undefined, `quiet ${quietMs} ms, time-out ${timeoutMs} ms; ${weather.outlook}`);

  let serials = 0;
  const serial = () => {
    serials += 1;
    return serials;
  };
  const keyKind = chance() < 0.85 ? 'paymentId' : 'payee';
  const pattern = chance() < 0.12 ? 'pay-{yyyy}-{MM}' : undefined;
  const rows = chance() < 0.05 ? 13 + Math.floor(chance() * 3) : 1 + Math.floor(chance() ** 1.5 * 7);
  const operatorChance = quirks.namesOperators ? seededChance(seed * 43 + 23) : undefined;
  const common = { keyKind, chance, holders, serial, operatorChance } as const;
  const main = createPayroll({ ...common, name: 'payroll', pattern, rows });
  const second = createPayroll({ ...common, name: 'vendors', rows: 1 + Math.floor(chance() * 3) });
  if (operatorChance)
    for (const { number, operator, isBank, name } of main.rows) {
      const others = operators.filter((each) => each !== operator);
      const code = others[Math.floor(operatorChance() * others.length)] ?? '';
      const owner = operatorChance() < 0.5 ? name : 'Somebody Else';
      if (!isBank && operator !== '' && operatorChance() < 0.5) service.storeForeign(number, code, owner);
    }
  for (let count = 0; count < 4; count += 1)
    service.addForeign(`foreign-${count}`, pick(['deposit', 'withdrew']), 50_000 + count, '+254700000001');

  const settings: RunSettings = {
    concurrency: 4,
    timeoutMs,
    quietPeriodMs,
    resends: pick([0, 1, 1, 2]),
    settleForMs: pick([5_000, 20_000, 60_000]),
    lookup: 'auto',
    phonePlus: true,
    namesMaxAgeMs: 24 * 3_600_000,
    policy: { ...policy, skipInvalid: chance() < 0.2 },
  };
  const folder = join(memoryFolder(), `payrun-simulator-${process.pid}-${seed}`);
  mkdirSync(join(folder, 'workspace', 'locks'), { recursive: true, mode: 0o700 });
  try {
    const machine = createMachine(world, folder);
    const ratePerSecond = chance() < 0.1 ? 5 : undefined;
    const office = openOffice({ world, machine, settings, ratePerSecond });
    office.add(main);
    office.add(second);
    const oddChance = seededChance(seed * 41 + 19);
    const oddities = createOddities({ world, office, main, quirks, chance: oddChance });
    await tellStory({ world, machine, office, main, second, chance, quietMs, oddities, isLate });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const { violations, trace, faults } = world;
  const counts = { ...world.counts, ...service.oddities };
  return { seed, violations, trace, counts, faults, virtualDays: time.worldMs() / 86_400_000 };
}

function habitsOf(
  chance: () => number,
  listLagMs: number,
): Omit<ServiceHabits, keyof ReturnType<typeof quirksOf>['habits']> {
  const sometimes = (often: number) => (chance() < 0.5 ? 0 : chance() * often);
  return {
    dedupe: chance() < 0.4,
    listLagMs,
    showsReference: chance() < 0.8,
    showsBeneficiary: chance() < 0.7,
    tokenLifeMs: chance() < 0.3 ? 90_000 : 3_600_000,
    failsWithStatus: chance() < 0.5,
    refusing: sometimes(0.4),
    failing: sometimes(0.4),
    lingering: sometimes(0.3),
    returning: sometimes(0.5),
    settleWithinMs: chance() < 0.6 ? 3_000 : 120_000,
    balanceMinor: chance() < 0.1 ? 900_000 : 1e12,
  };
}

/** Thousands of journals are written and thrown away: where there is a disk in memory, there. */
function memoryFolder(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}
