import type { Minor } from '../../domain/money/money.ts';
import {
  decidingName,
  type NameCount,
  type NameEvidence,
  nameVerdict,
} from '../../domain/names/name-evidence.ts';
import { mayPayName } from '../../domain/payout/may-pay-name.ts';
import type { Policy } from '../../domain/policy.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { DraftPayee, DraftPayees, NamedRow } from '../../journal/draft/draft-payees.ts';
import type { PlannedNames } from '../payee/cached-name.ts';

export interface NameView {
  readonly counts: Readonly<Record<NameCount, number>>;
  /** Rows whose name is not simply the service's, the first of them. */
  readonly first: readonly NameFinding[];
  /** What a run would hold for its name, by currency: the policy and the pairs of names that were released decide. */
  readonly held: readonly HeldSum[];
  /** Rows about whose name the service did not answer now: it is asked again before anything is sent. */
  readonly unanswered: number;
}

export interface HeldSum {
  readonly currency: string;
  readonly rows: number;
  readonly amountMinor: Minor;
}

export interface NameFinding {
  readonly line: number;
  readonly accountName: string;
  readonly resolvedName: string;
  readonly verdict: NameCount;
  readonly reason: string;
}

const findingsKept = 20;

const against: ReadonlySet<NameCount> = new Set(['close', 'mismatch', 'no-account']);

export type NameVerdicts = ReturnType<typeof createNameVerdicts>;

/** Each row gets a verdict of its own, in whatever order the service answers. */
export function createNameVerdicts(
  payees: Pick<DraftPayees, 'rowsOf'>,
  book: Pick<PlannedNames['book'], 'isReleased'>,
  policy: Policy,
  notHeld: (payee: DraftPayee, row: NamedRow) => void,
) {
  const counts: Record<NameCount, number> = {
    match: 0,
    close: 0,
    mismatch: 0,
    unchecked: 0,
    'no-account': 0,
  };
  const first: NameFinding[] = [];
  const held = createHeldSums();
  let unanswered = 0;

  function find(finding: NameFinding): void {
    first.push(finding);
    first.sort((one, other) => one.line - other.line);
    first.length = Math.min(first.length, findingsKept);
  }

  /** Whether somebody would be held for what the service said of a name, which may have been put right since. */
  function speaksAgainst(payee: DraftPayee, evidence: NameEvidence): boolean {
    return payees.rowsOf(payee).some(({ accountName, foldedName }) => {
      const deciding = decidingName(evidence, () => false, { accountName, number: payee.number });
      const { verdict } = nameVerdict(accountName, payee.number, deciding);
      return against.has(verdict) && !book.isReleased(payee.payee, foldedName, deciding.name);
    });
  }

  return {
    speaksAgainst,
    judge(payee: DraftPayee, evidence: NameEvidence, isTrusted: () => boolean): void {
      for (const row of payees.rowsOf(payee)) {
        const { line, accountName, foldedName, amountMinor } = row;
        const deciding = decidingName(evidence, isTrusted, { accountName, number: payee.number });
        const { verdict, reason } = nameVerdict(accountName, payee.number, deciding);
        counts[verdict] += 1;
        if (verdict !== 'match')
          find({ line, accountName, resolvedName: readableText(deciding.name), verdict, reason });
        const found = { verdict, resolvedName: deciding.name };
        const isPairReleased = () => book.isReleased(payee.payee, foldedName, deciding.name);
        if (mayPayName(policy, row, found, isPairReleased)) notHeld(payee, row);
        else held.add(payee.currency, amountMinor);
      }
    },
    withoutAnswer(payee: DraftPayee): void {
      const rows = payees.rowsOf(payee);
      unanswered += rows.length;
      for (const row of rows) notHeld(payee, row);
    },
    view: (): NameView => ({ counts, first, held: held.sums(), unanswered }),
  };
}

export function createHeldSums() {
  const held = new Map<string, HeldSum>();
  return {
    add(currency: string, minor: Minor): void {
      const { rows, amountMinor } = held.get(currency) ?? { rows: 0, amountMinor: 0n };
      held.set(currency, { currency, rows: rows + 1, amountMinor: amountMinor + minor });
    },
    /** In whatever order they came. */
    sums: (): HeldSum[] => [...held.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1)),
  };
}
