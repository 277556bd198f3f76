import type { ExitCode } from '../../../src/errors.ts';
import { type ClaimedRow, claimsOf, judge, type MeantRow } from '../oracle.ts';
import type { ModelEntry } from './model-service.ts';
import type { World } from './world.ts';

/** What is held against the ledger for one batch. */
export interface BatchEvidence {
  readonly batch: string;
  readonly versions: readonly MeantRow[];
  /** Rows that a run has taken in for sure. */
  readonly taken: ReadonlySet<string>;
  /** The journal was lost: until a look-up was made, what was sent before is not known to be. */
  readonly forgotten: boolean;
  /** Payouts about which an old copy of the journal knows less than the service: only doubles count there. */
  readonly outdated: ReadonlySet<string>;
  readonly results: readonly Readonly<Record<string, string>>[] | undefined;
  readonly finished: boolean;
  /** Money that came back counts as such: it was time to notice. */
  readonly returnsNoticed: boolean;
}

/** No payment moves money twice, whatever batch, attempt or version of its row it went out by. */
export function judgeMoney(world: World, versions: readonly MeantRow[]): void {
  const ledger = world.service.ledger();
  const replay = `seed ${world.seed}`;
  for (const { kind, text } of judge({
    replay,
    meant: versions,
    ledger,
    claimed: undefined,
    finished: false,
  }))
    world.violate(kind, text);
  const moved = new Map<string, ModelEntry[]>();
  for (const entry of ledger.filter(({ status }) => status !== 'FAILED')) {
    const meaning = world.meaningOf(entry.reference);
    const payout = `${meaning?.batch}/${meaning?.key}`;
    moved.set(payout, [...(moved.get(payout) ?? []), entry]);
  }
  for (const [payout, entries] of moved) {
    if (entries.length > 1)
      world.violate(
        'double',
        `${payout} moved money by ${entries.map((entry) => entry.transactionId).join(', ')}`,
      );
  }
}

/** Holds the results of a batch against what the service has of it. */
export function judgeBatch(world: World, evidence: BatchEvidence): void {
  const { batch, results, finished, outdated, taken, versions } = evidence;
  const of = (entry: ModelEntry) => world.meaningOf(entry.reference);
  const unasked = (status: string) =>
    evidence.forgotten && (status === 'held' || (!finished && status === 'not_sent'));
  const hidden = new Set(outdated);
  for (const row of results ?? [])
    if (unasked(row['payrun_status'] ?? '')) hidden.add(row['payrun_key'] ?? '');
  const rows = results?.filter((row) => !hidden.has(row['payrun_key'] ?? ''));
  const claimed = rows && claimsOf(rows);
  const claims = new Map<string, ClaimedRow>(claimed?.map((claim) => [claim.key, claim]));
  // What neither the journal nor the file knows any more, nobody can claim.
  const isKnown = (key: string) => !evidence.forgotten || taken.has(key) || claims.has(key);
  const ledger = world.service
    .ledger()
    .filter((entry) => of(entry)?.batch === batch && isKnown(of(entry)?.key ?? ''))
    .filter((entry) => !hidden.has(of(entry)?.key ?? ''))
    .map((entry) => beforeRevival(entry, claims.get(of(entry)?.key ?? ''), evidence.returnsNoticed))
    .filter((entry) => isPresent(entry, claims.get(of(entry)?.key ?? '')))
    .map((entry) =>
      evidence.returnsNoticed ? entry : beforeReturn(entry, claims.get(of(entry)?.key ?? '')),
    );
  const keys = new Set([...taken, ...claims.keys()].filter((key) => !hidden.has(key)));
  const meant = [...keys].flatMap((key) => {
    const claim = claims.get(key);
    const row = rows?.find((each) => each['payrun_key'] === key);
    const entries = ledger.filter((entry) => of(entry)?.key === key);
    return meantBy(key, claim, row, entries, versions) ?? [];
  });
  const replay = `seed ${world.seed}`;
  for (const { kind, text } of judge({ replay, meant, ledger, claimed, finished }))
    world.violate(kind, `${batch}: ${text}`);
  for (const row of rows ?? []) {
    const moved = ledger.filter((entry) => of(entry)?.key === row['payrun_key'] && entry.status !== 'FAILED');
    if (moved.length > 0 && unmoved.has(row['payrun_status'] ?? '') && !namesTheOther(row))
      world.violate(
        'lie',
        `${batch}/${row['payrun_key']} is called ${row['payrun_status']}, and money moved`,
      );
  }
}

/** 0 says that everything was paid or dropped by a person. */
export function judgeExit(
  world: World,
  batch: string,
  exit: ExitCode,
  results: BatchEvidence['results'],
): void {
  const others = results?.filter(
    ({ payrun_status }) => payrun_status !== 'paid' && payrun_status !== 'cancelled',
  );
  if (exit === 0 && others && others.length > 0)
    world.violate('lie', `${batch}: exit 0, and ${others.length} rows are neither paid nor cancelled`);
}

const unmoved = new Set(['failed', 'refused', 'held', 'cancelled', 'returned', 'not_sent', 'invalid']);

/** Held because of what the look-up found: the row itself tells of the transaction. */
function namesTheOther(row: Readonly<Record<string, string>>): boolean {
  const reason = row['payrun_reason'] ?? '';
  return (
    row['payrun_status'] === 'held' &&
    /another transaction stands|^(no longer in the file; )?attempt \d+/.test(reason)
  );
}

/** An attempt that failed before the one that the claim is about says nothing against it. */
function isPresent(entry: ModelEntry, claim: ClaimedRow | undefined): boolean {
  return entry.status !== 'FAILED' || !claim || entry.reference === claim.reference;
}

/** Until a resume was due that reads paid ones again, paid is what payrun rightly believes. */
function beforeReturn(entry: ModelEntry, claim: ClaimedRow | undefined): ModelEntry {
  const believed = entry.returned && claim?.status === 'paid' && claim.transaction === entry.transactionId;
  return believed ? { ...entry, status: 'SUCCESSFUL' } : entry;
}

/**
 * Until a resume was due that reads failed ones again, failed is what payrun rightly believes; and of what a person or the
 * service has dropped since, nobody reads the earlier attempts.
 */
function beforeRevival(entry: ModelEntry, claim: ClaimedRow | undefined, noticed: boolean): ModelEntry {
  const believed =
    entry.revived && claim && unmoved.has(claim.status) && !(noticed && claim.status === 'failed');
  return believed ? { ...entry, status: 'FAILED' } : entry;
}

/** A row that was edited has been several rows: which of them the claim is about. */
function meantBy(
  key: string,
  claim: ClaimedRow | undefined,
  row: Readonly<Record<string, string>> | undefined,
  entries: readonly ModelEntry[],
  versions: readonly MeantRow[],
): MeantRow | undefined {
  const ofKey = versions.filter((version) => version.key === key);
  const named = entries.find((entry) => entry.transactionId === claim?.transaction);
  const moved = entries.find((entry) => entry.status !== 'FAILED');
  const shown = named ?? moved;
  if (shown) return ofKey.find(({ amount, number }) => amount === shown.amount && number === shown.number);
  return ofKey.findLast(({ amount }) => amount === row?.['amount']) ?? ofKey.at(-1);
}
