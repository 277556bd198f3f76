/** A promise that was seen broken, and how to see it again. */
export interface Violation {
  readonly kind: 'double' | 'lost' | 'lie' | 'stuck' | 'blind' | 'chain' | 'leak' | 'crash' | 'wrong-payee';
  /** What replays it: a seed, a point, a file. */
  readonly replay: string;
  readonly text: string;
}

/** A row as it was meant. Number and amount together stand for the row: no two rows of a proof share both. */
export interface MeantRow {
  readonly key: string;
  readonly number: string;
  readonly currency: string;
  readonly amount: string;
}

/** A transaction as the service's own ledger has it. */
export interface LedgerEntry {
  readonly transactionId: string;
  readonly reference: string;
  readonly status: string;
  readonly currency: string;
  /** As it was asked for. */
  readonly amount: string;
  /** What the payee got; undefined where it is the same. */
  readonly paid?: string;
  readonly number: string;
}

/** A line of the results file, read by somebody who knows nothing of payrun. */
export interface ClaimedRow {
  readonly key: string;
  readonly status: string;
  readonly paid: string;
  readonly transaction: string;
  readonly reference: string;
}

export interface Evidence {
  readonly replay: string;
  readonly meant: readonly MeantRow[];
  /** Asked of the service once nothing is under way any more. */
  readonly ledger: readonly LedgerEntry[];
  /** Undefined where no run got so far as to write results. */
  readonly claimed: readonly ClaimedRow[] | undefined;
  /** Faults have stopped and a run has come to its end by itself: then nothing may be left to send. */
  readonly finished: boolean;
  /** Statuses that a finished batch may still show, besides the final ones: an honest unknown, say. */
  readonly mayEndAs?: readonly string[];
}

/**
 * Holds what payrun claims against what the service's ledger says. Knows nothing of the journal, the states or the
 * code that made the claims: text against text.
 */
export function judge(evidence: Evidence): Violation[] {
  return [...judgeMoney(evidence), ...judgeClaims(evidence)];
}

const finalStatuses = ['paid', 'failed', 'refused', 'held', 'cancelled', 'returned', 'invalid'];

function* judgeMoney({ replay, meant, ledger }: Evidence): Generator<Violation> {
  const rows = new Set(meant.map(rowOf));
  const movedBy = new Map<string, LedgerEntry[]>();
  for (const entry of ledger) {
    if (!rows.has(rowOf(entry))) {
      yield { kind: 'double', replay, text: `nobody meant ${tell(entry)}` };
    }
    if (entry.status === 'FAILED') continue;
    for (const one of [`row ${rowOf(entry)}`, `reference ${entry.reference}`]) {
      movedBy.set(one, [...(movedBy.get(one) ?? []), entry]);
    }
  }
  for (const [one, entries] of movedBy) {
    if (entries.length > 1) {
      yield {
        kind: 'double',
        replay,
        text: `${one} moved money ${entries.length} times: ${entries.map(tell)}`,
      };
    }
  }
}

function* judgeClaims({
  replay,
  meant,
  ledger,
  claimed,
  finished,
  mayEndAs = [],
}: Evidence): Generator<Violation> {
  if (!claimed) {
    if (finished) yield { kind: 'lost', replay, text: 'a run ended and left no results' };
    return;
  }
  const claims = new Map<string, ClaimedRow[]>();
  for (const claim of claimed) claims.set(claim.key, [...(claims.get(claim.key) ?? []), claim]);
  const entriesOf = new Map<string, LedgerEntry[]>();
  for (const entry of ledger) {
    const known = entriesOf.get(rowOf(entry));
    if (known) known.push(entry);
    else entriesOf.set(rowOf(entry), [entry]);
  }
  for (const row of meant) {
    const [claim, ...more] = claims.get(row.key) ?? [];
    if (!claim || more.length > 0) {
      yield {
        kind: 'lost',
        replay,
        text: `row ${row.key} stands ${claim ? more.length + 1 : 0} times in the results`,
      };
      continue;
    }
    const entries = entriesOf.get(rowOf(row)) ?? [];
    const lie = lieOf(row, claim, entries, finished);
    if (lie)
      yield { kind: 'lie', replay, text: `row ${row.key}: ${lie}; the ledger has ${entries.map(tell)}` };
    if (finished && !finalStatuses.includes(claim.status) && !mayEndAs.includes(claim.status)) {
      yield {
        kind: 'stuck',
        replay,
        text: `row ${row.key} is ${claim.status} though nothing stands in its way`,
      };
    }
  }
  const paid = sums(claimed.filter((claim) => claim.status === 'paid').map((claim) => claim.paid));
  const successful = sums(
    ledger.filter((entry) => entry.status === 'SUCCESSFUL').map(({ paid, amount }) => paid ?? amount),
  );
  if (finished && mayEndAs.length === 0 && paid !== successful) {
    yield { kind: 'lie', replay, text: `called paid ${paid}, paid ${successful}` };
  }
}

/** What the claim about one row says that is not so, if anything. */
function lieOf(
  row: MeantRow,
  claim: ClaimedRow,
  entries: readonly LedgerEntry[],
  finished: boolean,
): string | undefined {
  const successful = entries.filter((entry) => entry.status === 'SUCCESSFUL');
  const moved = entries.filter((entry) => entry.status !== 'FAILED');
  switch (claim.status) {
    case 'paid': {
      const entry = successful.find(({ transactionId }) => transactionId === claim.transaction);
      if (!entry) return 'called paid, and is not';
      const got = entry.paid ?? row.amount;
      return claim.paid === got ? undefined : `called paid with ${claim.paid} instead of ${got}`;
    }
    case 'failed':
    case 'returned':
      if (moved.length > 0) return `called ${claim.status}, and money moved or may yet`;
      return entries.some((entry) => entry.transactionId === claim.transaction)
        ? undefined
        : `called ${claim.status} by a transaction that the service does not have`;
    case 'refused':
    case 'held':
    case 'cancelled':
    case 'invalid':
      return moved.length > 0 ? `called ${claim.status}, and money moved or may yet` : undefined;
    case 'not_sent':
      return entries.length > 0 ? 'called not sent, and it was' : undefined;
    case 'pending':
      return finished && successful.length > 0 ? 'still called pending, and is paid' : undefined;
    case 'unknown':
      return undefined;
    default:
      return `a status that nobody knows: ${claim.status}`;
  }
}

/** From a results file as any CSV reader gives it. */
export function claimsOf(results: readonly Readonly<Record<string, string>>[]): ClaimedRow[] {
  return results.map((row) => ({
    key: row['payrun_key'] ?? '',
    status: row['payrun_status'] ?? '',
    paid: row['payrun_paid'] ?? '',
    transaction: row['payrun_transaction'] ?? '',
    reference: row['payrun_reference'] ?? '',
  }));
}

function rowOf(of: { readonly number: string; readonly currency: string; readonly amount: string }): string {
  return `${of.number} ${of.currency} ${of.amount}`;
}

/** In hundredths, as every amount of a proof has two decimals. */
export function sums(amounts: readonly string[]): bigint {
  return amounts.reduce((sum, amount) => sum + BigInt(amount.replace('.', '')), 0n);
}

function tell(entry: LedgerEntry): string {
  return `${rowOf(entry)} ${entry.status} ${entry.reference}`;
}
