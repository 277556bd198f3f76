import type { ExitCode } from '../../../src/errors.ts';
import { type ClaimedRow, claimsOf, judge, type MeantRow, sums } from '../oracle.ts';
import type { TransactionStatus } from './model-account.ts';
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
  // What the service did twice by itself is no second payment of payrun's; the results must tell of it.
  const ledger = world.service.ledger().filter(({ isSibling }) => !isSibling);
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
  // What a person drops before a run has asked for it, nobody asks for any more.
  const unasked = (status: string) =>
    evidence.forgotten &&
    (status === 'held' || status === 'cancelled' || (!finished && status === 'not_sent'));
  const hidden = new Set(outdated);
  for (const row of results ?? [])
    if (unasked(row['payrun_status'] ?? '')) hidden.add(row['payrun_key'] ?? '');
  const rows = results?.filter((row) => !hidden.has(row['payrun_key'] ?? ''));
  const claimed = rows && claimsOf(rows);
  const claims = new Map<string, ClaimedRow>(claimed?.map((claim) => [claim.key, claim]));
  // What neither the journal nor the file knows any more, nobody can claim.
  const isKnown = (key: string) => !evidence.forgotten || taken.has(key) || claims.has(key);
  const ledger = oneOfSiblings(world.service.ledger(), claims)
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
  for (const { key, status, transaction } of claimed ?? []) {
    const entry = ledger.find(({ transactionId }) => transactionId === transaction);
    const word = plainWords.get(status);
    if (entry && word && !entry.said.has(word))
      world.violate('lie', `${batch}/${key} is called ${status}, and no read ever said so plainly`);
  }
  for (const row of rows ?? []) {
    const moved = ledger.filter((entry) => of(entry)?.key === row['payrun_key'] && entry.status !== 'FAILED');
    if (moved.length > 0 && unmoved.has(row['payrun_status'] ?? '') && !namesTheOther(row))
      world.violate(
        'lie',
        `${batch}/${row['payrun_key']} is called ${row['payrun_status']}, and money moved`,
      );
  }
}

/** What a run or a resume said at its end. */
export interface SaidAtEnd {
  readonly batch: string;
  readonly exit: ExitCode;
  /** Since when it was at work. */
  readonly begunMs: number;
  /** What it called paid, now and before, in hundredths; undefined where another command was at work beside it. */
  readonly paidMinor: bigint | undefined;
  readonly results: BatchEvidence['results'];
}

/** 0 says that everything was paid or dropped by a person, and that nothing of it is on its way any more. */
export function judgeExit(world: World, { batch, exit, begunMs, paidMinor, results }: SaidAtEnd): void {
  const others = results?.filter(
    ({ payrun_status }) => payrun_status !== 'paid' && payrun_status !== 'cancelled',
  );
  if (exit === 0 && others && others.length > 0)
    world.violate('lie', `${batch}: exit 0, and ${others.length} rows are neither paid nor cancelled`);
  const shown = siblingsOf(world, batch).filter(({ visibleMs }) => visibleMs < begunMs);
  const open = shown.filter(({ status }) => status !== 'FAILED');
  if (exit === 0 && open.length > 0)
    world.violate('lie', `${batch}: exit 0, and ${open.length} payouts stand twice at the service`);
  const paid = (results ?? []).filter(({ payrun_status }) => payrun_status === 'paid');
  const sum = sums(paid.map(({ payrun_paid = '' }) => payrun_paid));
  if (paidMinor !== undefined && results && paidMinor !== sum)
    world.violate('lie', `${batch}: the totals say ${paidMinor} paid, the rows ${sum}`);
}

/** Once all has ended: what the service did twice is named by both transactions, and the last word of the run was 3. */
export function judgeSiblings(
  world: World,
  { batch, results }: Pick<BatchEvidence, 'batch' | 'results'>,
  lastExit: ExitCode | undefined,
): void {
  for (const sibling of siblingsOf(world, batch)) {
    const key = world.meaningOf(sibling.reference)?.key;
    const row = results?.find((each) => each['payrun_key'] === key);
    const twin = world.service
      .ledger()
      .find(({ reference, isSibling }) => reference === sibling.reference && !isSibling);
    if (row?.['payrun_status'] !== 'paid' || !twin) continue;
    const named = (row['payrun_paid_twice'] ?? '').split(' ').filter((id) => id !== '');
    const expected = sibling.status === 'FAILED' ? [] : [sibling.transactionId, twin.transactionId];
    if (named.toSorted().join() !== expected.toSorted().join())
      world.violate('lie', `${batch}/${key}: paid twice is said of ${named}, and is so of ${expected}`);
    if (expected.length > 0 && lastExit !== 3)
      world.violate('lie', `${batch}/${key} was paid twice, and the exit code is ${lastExit}`);
  }
}

function siblingsOf(world: World, batch: string): ModelEntry[] {
  if (world.service.oddities.siblings === 0) return [];
  return world.service
    .ledger()
    .filter(({ isSibling, reference }) => isSibling && world.meaningOf(reference)?.batch === batch);
}

/**
 * Of two under one reference the one that counts: any successful is paid, any open is pending; and of two alike the one
 * that the claim is about.
 */
function oneOfSiblings(
  ledger: readonly ModelEntry[],
  claims: ReadonlyMap<string, ClaimedRow>,
): readonly ModelEntry[] {
  const siblings = ledger.filter(({ isSibling }) => isSibling);
  if (siblings.length === 0) return ledger;
  const claimed = new Set([...claims.values()].map(({ transaction }) => transaction));
  const left = new Set<ModelEntry>();
  for (const sibling of siblings) {
    const twin = ledger.find(({ reference, isSibling }) => reference === sibling.reference && !isSibling);
    if (!twin) continue;
    const [one, other] = [weight(twin.status), weight(sibling.status)];
    const isSiblings = other > one || (other === one && claimed.has(sibling.transactionId));
    left.add(isSiblings ? twin : sibling);
  }
  return ledger.filter((entry) => !left.has(entry));
}

function weight(status: string): number {
  return ['FAILED', 'PENDING', 'SUCCESSFUL'].indexOf(status);
}

const plainWords: ReadonlyMap<string, TransactionStatus> = new Map([
  ['paid', 'SUCCESSFUL'],
  ['failed', 'FAILED'],
]);
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
