import type { Minor } from '../domain/money/money.ts';
import type { Payout } from '../domain/payout/payout.ts';
import type { PayoutState } from '../domain/payout/payout-state.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import { inPages } from '../journal/in-pages.ts';
import type { Journal, Move } from '../journal/journal.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { putValue, resultsDue } from '../journal/key-values.ts';
import { type DecisionQueries, decisionQueries } from '../journal/payouts/decision-queries.ts';
import { payoutQueries } from '../journal/payouts/payout-queries.ts';
import { type RepeatRule, watchRepeats } from './repeats.ts';
import { selectPayouts } from './select-payouts.ts';

/** What a person's decision says of one payout: the move that it makes, or why the payout stays where it is. */
export type Ruling =
  | { readonly kind: 'moves'; readonly move: Omit<Move, 'payout'>; readonly remembersNames?: boolean }
  | { readonly kind: 'stays'; readonly why: string };

/** Everybody whom the decision could concern, by state; or the payouts that a person named. */
export type Choice =
  | { readonly kind: 'states'; readonly states: readonly PayoutState[] }
  | { readonly kind: 'named'; readonly ids: readonly string[] };

export interface Decision {
  readonly choice: Choice;
  /** Pure: the same payout gets the same ruling. */
  readonly rule: (payout: Payout) => Ruling;
  /** Asked of payouts that can be sent because of it; undefined where none can. */
  readonly repeats: RepeatRule | undefined;
}

export interface CarriedOut {
  readonly moved: number;
  /** The first of them: whoever decided must see whom it concerned. */
  readonly first: readonly Payout[];
  /** What the moved ones add up to, by currency. */
  readonly movedMinor: ReadonlyMap<string, Minor>;
  /** Named by the person, and not moved. */
  readonly left: readonly { readonly payout: Payout; readonly why: string }[];
}

const pageSize = 500;
const firstKept = 10;

/**
 * Carries a decision out in one transaction: selection, repeats and moves see one state of the journal, and a guard
 * that refuses leaves nothing behind. Nothing is sent: that is for a resume.
 */
export function carryOut(
  db: JournalDatabase,
  journal: Journal,
  batch: BatchRecord,
  { choice, rule, repeats }: Decision,
): Promise<CarriedOut> {
  const questions = decisionQueries(db, batch);
  return journal.moveTogether((move) => {
    const watch = repeats && watchRepeats(questions, repeats);
    const left: { payout: Payout; why: string }[] = [];
    const first: Payout[] = [];
    const movedMinor = new Map<string, Minor>();
    let moved = 0;
    for (const payout of chosen(db, batch, questions, choice)) {
      const ruling = rule(payout);
      if (ruling.kind === 'stays') {
        if (choice.kind === 'named') left.push({ payout, why: ruling.why });
        continue;
      }
      watch?.ask(payout);
      if (ruling.remembersNames) questions.rememberNames(payout);
      move({ payout, ...ruling.move });
      moved += 1;
      if (moved <= firstKept) first.push(payout);
      movedMinor.set(payout.currency, (movedMinor.get(payout.currency) ?? 0n) + payout.amountMinor);
    }
    watch?.refuseTooMany(moved);
    if (moved > 0) putValue(db, resultsDue(batch.id), '1');
    return { moved, first, movedMinor, left };
  });
}

/** A page at a time, and by the number of the payout: those already moved are not met again. */
function* chosen(
  db: JournalDatabase,
  batch: BatchRecord,
  questions: DecisionQueries,
  choice: Choice,
): Iterable<Payout> {
  if (choice.kind === 'named') {
    yield* selectPayouts(questions, choice.ids);
    return;
  }
  const payouts = payoutQueries(db, batch.id);
  const read = (afterId: number) => payouts.page(choice.states, afterId, pageSize);
  for (const page of inPages(read, ({ id }) => id)) yield* page;
}
