import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RunSettings } from '../../../src/pipeline/run/run-context.ts';
import { seededChance } from '../../support/chance.ts';
import { policy } from './commands.ts';
import { createMachine } from './machine.ts';
import { createModelService, type Holder, type ServiceHabits } from './model-service.ts';
import { openOffice } from './office.ts';
import type { Payroll, PayrollRow } from './payroll.ts';
import { createRightPayees } from './right-payees.ts';
import { createVirtualTime } from './virtual-time.ts';
import { createWeather, type Fault, type Weather } from './weather.ts';
import { createWorld } from './world.ts';

export interface CalmDay {
  /** What the service does otherwise than most do. */
  readonly odd?: Partial<ServiceHabits>;
  /** What its odd habits draw, again and again. */
  readonly luck?: number;
  /** What goes wrong, with one payout after the other. */
  readonly faults?: readonly Fault[];
}

/** Two people with one file, on a day when little goes wrong. */
export function openCalmOffice({ odd = {}, luck = 0.3, faults = [] }: CalmDay = {}) {
  const seed = 1;
  const chance = seededChance(seed);
  const time = createVirtualTime(Date.UTC(2026, 10, 12, 8));
  const holders = new Map<string, Holder>();
  const service = createModelService(time, chance, { ...calmHabits, ...odd }, holders, () => luck);
  const { ignoreFilter, revokeTokens } = service;
  const fair = createWeather({
    time,
    chance,
    dedupe: true,
    listsAtOnce: true,
    lagIsSteady: false,
    doubling: 0,
    lying: 0,
    oddChance: chance,
    ignoreFilter,
    revokeTokens,
  });
  fair.clearUp();
  const left = [...faults];
  const weather: Weather = {
    ...fair,
    draw(isPayout, isProven) {
      return (isPayout ? left.shift() : undefined) ?? fair.draw(isPayout, isProven);
    },
  };
  const world = createWorld({
    seed,
    time,
    service,
    weather,
    payees: createRightPayees(holders),
    latestLandingMs: 1_000,
  });
  const folder = mkdtempSync(join(tmpdir(), 'payrun-office-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'workspace', 'locks'), { recursive: true, mode: 0o700 });
  const office = openOffice({
    world,
    machine: createMachine(world, folder),
    settings,
    ratePerSecond: undefined,
  });
  office.add(payrollOf(['K1', 'K2']));
  for (const { name, number } of people) holders.set(number, { name });
  return { world, office };
}

/** The file with these of its rows, all of one amount. */
export function payrollOf(ids: readonly string[], amount = '1200.00'): Payroll {
  const rows = people.filter(({ id }) => ids.includes(id));
  const lines = rows.map(({ id, name, number }) => `${id},${name},KE,KES,${amount},MoMo,${number}`);
  return {
    batch: 'payroll',
    pattern: undefined,
    fileName: 'payroll.csv',
    keyKind: 'paymentId',
    rows,
    versions: people.map(({ id, number }) => ({ key: id, number, currency: 'KES', amount })),
    text: () =>
      `${['paymentId,accountName,country,currency,amount,destination,phoneNumber', ...lines].join('\n')}\n`,
    only: () => ({ rows: [], text: () => '' }),
    forged: () => '',
    edit: () => 'nothing',
  };
}

const common = { isBank: false, amountMinor: 120_000, narration: '', operator: '', branchCode: '' };
const people: readonly PayrollRow[] = [
  { ...common, id: 'K1', name: 'Amina Otieno', number: '+254712353590' },
  { ...common, id: 'K2', name: 'Brian Kamau', number: '+254712361509' },
];

const calmHabits: ServiceHabits = {
  dedupe: true,
  listLagMs: 0,
  showsReference: true,
  showsBeneficiary: true,
  tokenLifeMs: 3_600_000,
  failsWithStatus: true,
  refusing: 0,
  failing: 0,
  lingering: 0,
  returning: 0,
  settleWithinMs: 3_000,
  balanceMinor: 1e12,
  lagIsSteady: false,
  contradicting: 0,
  echoes: false,
  cuts: false,
  rewords: false,
  listsLack: 0,
  showsCode: false,
};

const settings: RunSettings = {
  concurrency: 4,
  timeoutMs: 10_000,
  quietPeriodMs: 60_000,
  resends: 1,
  settleForMs: 60_000,
  lookup: 'auto',
  phonePlus: true,
  namesMaxAgeMs: 24 * 3_600_000,
  policy,
};
