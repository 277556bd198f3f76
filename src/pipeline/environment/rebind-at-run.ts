import { changedParts, notRebound } from '../../domain/environment/other-environment.ts';
import type { Policy } from '../../domain/policy.ts';
import { exitCode, PayrunError } from '../../errors.ts';
import type { JournalDatabase } from '../../journal/journal-database.ts';
import { payoutQueries } from '../../journal/payouts/payout-queries.ts';
import { askRunsOfSends } from '../../journal/payouts/runs-of-sends.ts';
import type { Guard } from '../guards/guards.ts';
import type { LookUpService } from '../look-up/look-up.ts';
import { exitOfPlan, type PlannedFile } from '../plan/planned-file.ts';
import { findSentPayouts } from './find-sent-payouts.ts';

/** What a person at a terminal is asked: whether this is still the account of the batch. */
export interface RebindQuestion {
  readonly batch: string;
  readonly changed: string;
  /** How many payouts were sent, all of which this account shows. */
  readonly found: number;
}

/**
 * A run that nothing but the account stops, with a person at the terminal: where the account of today shows all that was
 * sent of the batch, a yes binds the batch to it. What it does not show is named instead.
 */
export async function rebindAtRun(
  { db, service }: { readonly db: JournalDatabase; readonly service: LookUpService },
  planned: PlannedFile,
  options: {
    readonly concurrency: number;
    readonly policy: Policy;
    readonly confirmRebind?: ((question: RebindQuestion) => Promise<boolean>) | undefined;
  },
): Promise<{ readonly planned: PlannedFile; readonly isRebound: boolean }> {
  const { plan, environment } = planned;
  const { knownBatch: batch, guards } = plan;
  const changed = batch && environment ? changedParts(batch.environment, environment) : '';
  const onlyThis = guards.every(({ code }) => code === 'environment');
  if (
    !options.confirmRebind ||
    !batch ||
    changed === '' ||
    !onlyThis ||
    planned.exit !== exitCode.guardRefused
  )
    return { planned, isRebound: false };
  const { concurrency } = options;
  const sent = await findSentPayouts({
    service,
    payouts: payoutQueries(db, batch.id),
    sends: askRunsOfSends(db),
    batch,
    concurrency,
  });
  const withGuards = (left: readonly Guard[]): PlannedFile => {
    const guarded = { ...plan, guards: left };
    return { ...planned, plan: guarded, exit: exitOfPlan(guarded, options.policy) };
  };
  if (sent.missing > 0) {
    const missing: Guard = { code: 'environment', message: notRebound(batch, sent) };
    return { planned: withGuards([...guards, missing]), isRebound: false };
  }
  if (!(await options.confirmRebind({ batch: batch.name, changed, found: sent.found }))) {
    throw new PayrunError(
      'declined',
      `Not confirmed: batch ${batch.name} stays with the account that it was begun with. Nothing was sent.`,
    );
  }
  return { planned: withGuards([]), isRebound: true };
}
