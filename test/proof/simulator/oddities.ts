import type { Office } from './office.ts';
import type { Payroll } from './payroll.ts';
import type { Quirks } from './quirks.ts';
import type { World } from './world.ts';

export interface OddityParts {
  readonly world: World;
  readonly office: Office;
  readonly main: Payroll;
  readonly quirks: Quirks;
  readonly chance: () => number;
}

const dayMs = 25 * 3_600_000;
/** The clock on the wall may have gone back a few days. */
const mostDays = 7;

/** What people do in a few seeds only, between the commands of the story: false where a command did not come to an end. */
export function createOddities({ world, office, main, quirks, chance }: OddityParts) {
  const { service } = world;
  const isFixed = main.pattern === undefined;

  /** Somebody has the keys of the other account in hand, and does what one does. */
  const mixKeys = (): Promise<boolean> => {
    world.counts.mixedKeys += 1;
    const dice = chance();
    if (dice < 0.4) return office.go(office.run(main, { account: 'B', sameBatch: chance() < 0.5 }));
    if (dice < 0.6) return office.go(office.resume(undefined, { account: 'B' }));
    if (dice < 0.8) return office.go(office.resume(main.batch, { account: 'B' }));
    return office.go(office.rebind(main.batch, 'B'));
  };

  const rename = () => {
    const serial = Math.floor(chance() * 1e6);
    const identity =
      chance() < 0.5 ? { email: `payer${serial}@example.test` } : { publicKey: `model-public-key-${serial}` };
    service.rename(identity);
    world.tell(undefined, `the account is another by name: ${Object.keys(identity)}`);
  };

  /** Gives what was not rebound, with the payments that stand in the way; undefined where a command did not end. */
  const rebindAll = async (): Promise<{ batch: string; keys: readonly string[] }[] | undefined> => {
    const left: { batch: string; keys: readonly string[] }[] = [];
    for (const batch of office.batches.keys()) {
      const rebinding = office.rebind(batch);
      if (!(await office.go(rebinding))) return undefined;
      const keys = await rebinding;
      if (keys) left.push({ batch, keys });
    }
    return left;
  };

  return {
    /** Before the journal knows the batch: somebody's file says that it was tried before. */
    async forge(): Promise<boolean> {
      if (!quirks.forges || !isFixed) return true;
      world.counts.forgeries += 1;
      return office.go(office.run(main, { forged: main.forged(chance) }));
    },

    async between(): Promise<boolean> {
      if (quirks.mixesKeys && chance() < 0.4 && !(await mixKeys())) return false;
      if (!quirks.isRenamed) return true;
      if (chance() < 0.4) rename();
      return chance() < 0.5 ? (await rebindAll()) !== undefined : true;
    },

    /**
     * The weather is clear: whatever was begun under an earlier name is rebound. What was sent and has never arrived no
     * account shows: a day later, by whichever clock, somebody says that it was not paid.
     */
    async settleNames(): Promise<boolean> {
      if (!quirks.isRenamed) return true;
      for (let day = 0; day < mostDays; day += 1) {
        const left = await rebindAll();
        if (!left || left.length === 0) return left !== undefined;
        world.counts.rebindsInVain += 1;
        await world.time.pass(dayMs);
        for (const { batch, key } of left.flatMap(({ batch, keys }) => keys.map((key) => ({ batch, key })))) {
          if (world.mayStillLand(batch, key)) continue;
          if (!(await office.go(office.decide(batch, { verb: 'not-paid', key })))) return false;
        }
      }
      world.violate('stuck', 'a batch was not rebound to its own account within a week');
      return false;
    },

    /** At last the same forged file in a workspace that knows nothing at all. */
    async forgeElsewhere(): Promise<boolean> {
      if (!quirks.forges || !isFixed) return true;
      world.counts.forgeries += 1;
      return office.go(office.runElsewhere(main, main.forged(chance)));
    },
  };
}

export type Oddities = ReturnType<typeof createOddities>;
