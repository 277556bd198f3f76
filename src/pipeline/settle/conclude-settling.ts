import type { Judgement } from '../../domain/payout/judge-transaction.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { reasonText } from '../../domain/payout/reasons.ts';
import { watchedText } from '../../domain/payout/result-row.ts';
import type { RunContext } from '../run/run-context.ts';
import { movedEvent } from '../run/run-events.ts';
import { contradictionIn, finalState, identityOf, stayNamed, stayUnnamed } from './final-state.ts';

/** A payout moves only on a transaction that is shown to be ours. */
export async function concludeSettling(
  context: RunContext,
  payout: Payout,
  judged: Judgement,
): Promise<void> {
  const { journal, clock, onEvent } = context;
  const wrong = contradictionIn(payout, judged);
  if (wrong) return stayNamed(context, payout, wrong);
  if (judged.kind !== 'ours' || judged.status === 'pending') return stayUnnamed(context, payout);
  const { status, shownMinor } = judged;
  const ended = await finalState(context, payout, { status, shownMinor });
  if (!ended) return;
  const { to, because, watched, transactionId } = ended;
  const twice = because.code === 'paid-twice' ? reasonText(because) : '';
  const settledMs = payout.settledMs ?? clock.nowMs();
  const changes = { settledMs, ...because, watched, ...identityOf(context, payout, ended) };
  const said = to === 'paid' ? 'successful' : 'failed';
  const why = `the service says ${said} (${transactionId})${twice === '' ? '' : `; ${twice}`}`;
  const tell = () => {
    const { key } = payout;
    if (twice !== '') onEvent({ kind: 'alarm', message: `payment ${key}: ${twice}` });
    if (watched !== '') onEvent({ kind: 'alarm', message: `payment ${key}: paid; ${watchedText(watched)}` });
    onEvent(movedEvent(payout, to, because));
  };
  await context.writes.add(() => journal.move({ payout, to, why, changes }).then(tell));
}
