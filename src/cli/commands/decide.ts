import type { CommandModule } from 'yargs';
import { systemClock } from '../../clock.ts';
import type { Decision } from '../../decisions/carry-out.ts';
import { decideNotPaid, decidePaid } from '../../decisions/decide.ts';
import { listClaimedTransaction, readClaimedTransaction } from '../../decisions/read-claimed-transaction.ts';
import { selectPayouts } from '../../decisions/select-payouts.ts';
import type { ShownTransaction } from '../../domain/payout/shown-transaction.ts';
import { exitCode, PayrunError } from '../../errors.ts';
import { askDecisions } from '../../journal/payouts/decision-queries.ts';
import { refuseOtherEnvironment } from '../../pipeline/environment/refuse-other-environment.ts';
import { readProfile } from '../../pipeline/plan/inspect-service.ts';
import { commandToRebind } from '../flags/command-to-rebind.ts';
import {
  type DecisionFlags,
  namedPayments,
  oneOf,
  reasonFlag,
  withDecisionFlags,
} from '../flags/decision-flags.ts';
import { nextBatchCommand } from '../flags/next-batch-command.ts';
import { refuseRepeated } from '../flags/refuse-repeated-flags.ts';
import { connect } from '../setup/connect.ts';
import { type DecisionContext, runDecision } from './run-decision.ts';

interface Flags extends DecisionFlags {
  paid: string | undefined;
  'not-paid': boolean;
}

export const decideCommand: CommandModule<object, Flags> = {
  command: 'decide <batch>',
  describe: 'Say whether an unclear payout was paid',
  builder: (yargs) =>
    withDecisionFlags(yargs)
      .option('paid', { type: 'string', describe: 'By this transaction, which is read at the service' })
      .option('not-paid', { type: 'boolean', default: false, describe: 'It was not, and may be retried' }),
  handler: (flags) => {
    refuseRepeated(flags, 'paid');
    const reason = reasonFlag(flags);
    const named = namedPayments(flags);
    if (named?.kind !== 'named' || named.ids.length !== 1) {
      throw new PayrunError(
        'usage',
        exitCode.usage,
        'Name the one payout that is decided about with --payment.',
      );
    }
    oneOf(
      { '--paid TRANSACTION': (flags.paid ?? '').trim() !== '', '--not-paid': flags['not-paid'] },
      'what became of the payout',
    );
    const { paid } = flags;
    return runDecision(flags, {
      done: 'decided',
      decide: (context) =>
        paid === undefined
          ? notPaid(context, named.ids, reason)
          : wasPaid(context, named.ids, paid.trim(), flags, reason),
      next: (moved) =>
        paid === undefined && moved > 0
          ? nextBatchCommand('retry', flags.batch, flags, '--payment', ...named.ids)
          : undefined,
    });
  },
};

function notPaid({ db, batch }: DecisionContext, ids: readonly string[], reason: string): Decision {
  const questions = askDecisions(db, batch);
  return {
    choice: { kind: 'named', ids },
    rule: (payout) => {
      const known = { burnt: questions.isReferenceBurnt(payout), sent: questions.wasSent(payout) };
      return decideNotPaid(payout, batch, known, systemClock.nowMs(), reason);
    },
    repeats: undefined,
  };
}

/** What a person says is believed only as far as the service shows it. */
async function wasPaid(
  { db, batch, workspace, config }: DecisionContext,
  ids: readonly string[],
  transactionId: string,
  flags: Flags,
  reason: string,
): Promise<Decision> {
  const questions = askDecisions(db, batch);
  // A mistyped ID is said before the service is asked.
  const chosen = selectPayouts(questions, ids);
  const connection = await connect(flags.sandbox, workspace, config);
  try {
    const { environment } = await readProfile(connection.service, connection);
    refuseOtherEnvironment(batch, environment, commandToRebind(flags));
    const transaction = await readClaimedTransaction(connection.service, transactionId);
    const rows = new Map<number, readonly ShownTransaction[]>();
    for (const { id, reference } of chosen)
      rows.set(id, await listClaimedTransaction(connection.service, reference, transaction.transactionId));
    return {
      choice: { kind: 'named', ids },
      rule: (payout) => {
        const owner = questions.ownerOfTransaction(transaction.transactionId, payout);
        return decidePaid(payout, transaction, owner, systemClock.nowMs(), reason, rows.get(payout.id));
      },
      repeats: undefined,
    };
  } finally {
    await connection.close();
  }
}
