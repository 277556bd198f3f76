import type { ReleaseScope } from '../decisions/release.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import type { Decided } from './decisions.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import type { Claim, DecideOptions, DecisionOptions, RepeatOptions } from './payrun-options.ts';

/** What a person says about payouts. */
export function deciding(opened: OpenWorkspace) {
  const { choice, workspace, settings, clock, operator, connected, account, batchOf, policiesOf } = opened;
  const repeatsOf = ({ allowRepeats = 0 }: RepeatOptions) => ({
    sinceMs: clock.nowMs() - settings.repeatWindowMs,
    allowed: allowRepeats,
    timeZone: settings.timeZone,
  });
  const decisionParts = (
    db: JournalDatabase,
    { onEvent = () => undefined, resultsCommand }: DecisionOptions,
  ) => ({
    db,
    workspace,
    clock,
    operator,
    timeZone: settings.timeZone,
    onEvent,
    resultsCommand,
  });

  return {
    /** Lets held payouts pass the check that holds them: named ones, or all of a verdict. */
    async release(
      batch: string,
      given: DecisionOptions &
        RepeatOptions & { readonly scope?: Exclude<ReleaseScope, 'named'> | undefined },
    ): Promise<Decided> {
      const { carryThrough, releaseDecision } = await import('./decisions.ts');
      const { db, batch: record } = await batchOf(batch);
      const decision = releaseDecision(given.payments, given.scope ?? 'all', given.reason, repeatsOf(given));
      const { releaseAlone } = await import('./decide-alone.ts');
      const alone = releaseAlone(await policiesOf(db), decision);
      return carryThrough(decisionParts(db, given), record, alone, 'released');
    },

    /** Drops payouts that were not sent: named ones, or all of them. */
    async cancel(batch: string, given: DecisionOptions): Promise<Decided> {
      const { cancelDecision, carryThrough } = await import('./decisions.ts');
      const { db, batch: record } = await batchOf(batch);
      const { decisionQueries } = await import('../journal/payouts/decision-queries.ts');
      const decision = cancelDecision(decisionQueries(db, record), given.payments, given.reason);
      return carryThrough(decisionParts(db, given), record, decision, 'cancelled');
    },

    /** Brings failed and refused payouts back; returned and cancelled ones where they are named. */
    async retry(batch: string, given: DecisionOptions & RepeatOptions): Promise<Decided> {
      const { carryThrough, retryDecision } = await import('./decisions.ts');
      const { db, batch: record } = await batchOf(batch);
      const { refuseRetryAlone } = await import('./decide-alone.ts');
      refuseRetryAlone(await policiesOf(db), record.name);
      const decision = retryDecision(record, given.payments, given.reason, repeatsOf(given));
      return carryThrough(decisionParts(db, given), record, decision, 'brought back');
    },

    /** Says whether an unclear payout was paid, and by which transaction, that a pending one never was, or that a paid one is. */
    async decide(batch: string, payment: string, claim: Claim, given: DecideOptions): Promise<Decided> {
      const { carryThrough, paidDecision, stillPaidDecision } = await import('./decisions.ts');
      const { notPaidDecision } = await import('./not-paid-decision.ts');
      const { refuseOtherEnvironment } = await import('../pipeline/environment/refuse-other-environment.ts');
      const { db, batch: record } = await batchOf(batch);
      const parts = decisionParts(db, given);
      if (claim === 'still-paid')
        return carryThrough(parts, record, stillPaidDecision(payment, given.reason), 'decided');
      const asked = async () => {
        const now = await account();
        refuseOtherEnvironment(record, now.environment, given.rebindCommand);
        return now;
      };
      const decision =
        claim === 'not-paid'
          ? notPaidDecision(
              {
                ...parts,
                service: choice && (await connected()).service,
                account: async () => (await asked()).service,
                pendingForMs: given.pendingForMs ?? settings.pendingForMs,
                confirm: given.confirm ?? (async () => true),
              },
              record,
              payment,
              given.reason,
            )
          : paidDecision(parts, record, payment, claim.paid, given.reason, asked);
      return carryThrough(parts, record, decision, 'decided');
    },
  };
}
