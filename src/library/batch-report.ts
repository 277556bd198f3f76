import type { Clock } from '../clock.ts';
import type { Environment } from '../domain/environment/environment.ts';
import { ResultTally } from '../domain/payout/result-tally.ts';
import { lockBatchIn } from '../journal/batch-lock.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import { batchDiff } from '../journal/draft/batch-diff.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { askPayeeDetails } from '../journal/payouts/payee-details.ts';
import { payoutQueries } from '../journal/payouts/payout-queries.ts';
import { type ReportQueries, reportQueries } from '../journal/payouts/report-queries.ts';
import { openResultRows, type ResultRows } from '../journal/payouts/result-rows.ts';
import { kindOfPlace } from '../pipeline/results/kind-of-results.ts';
import { type PlacedReport, placeReport } from '../pipeline/results/place-report.ts';
import type { EndedOverTime, ReportFacts } from '../report/page/report-facts.ts';
import { reportPage } from '../report/page/report-page.ts';
import { isOutOfFile, needsAttention, type ReportRow, reportRow } from '../report/page/report-row.ts';
import { version } from './version.ts';

export interface ReportParts {
  readonly db: JournalDatabase;
  readonly workspace: string;
  readonly clock: Clock;
  readonly operator: string;
  readonly timeZone: string;
  /** By how many per cent an amount changes before the report says so. */
  readonly noticePercent: number;
  /** What is known to be a sandbox of ours, though it is a service like any other. */
  readonly isSandbox: (environment: Environment) => boolean;
}

const attentionShown = 500;
const railsShown = 40;
const decisionsShown = 200;

/** Writes the report of a batch beside its results. Under the batch's lock, so that all of it is of one moment. */
export async function reportBatch(parts: ReportParts, batch: BatchRecord): Promise<PlacedReport> {
  const lock = await lockBatchIn(parts, batch.name, parts.clock);
  try {
    const rows = openResultRows(parts.db, batch.id, '');
    const facts = gatherFacts(parts, rows);
    return await placeReport(batch, reportPage(facts, reportRows(parts.db, rows)));
  } finally {
    lock.release();
  }
}

/** One way through all rows, of which only those are kept that need a person, and of them the first. */
function gatherFacts(parts: ReportParts, rows: ResultRows): ReportFacts {
  const { db, clock, operator, timeZone, noticePercent } = parts;
  const batch = rows.batch();
  const tally = new ResultTally();
  const attention: ReportRow[] = [];
  const read = rowReader(db, rows);
  let [rowCount, attentionCount, outOfFile] = [0, 0, 0];
  for (const page of rows.pages()) {
    for (const row of page) tally.add(row);
    rowCount += page.length;
    outOfFile += page.filter(isOutOfFile).length;
    const concerned = page.filter(needsAttention);
    attentionCount += concerned.length;
    attention.push(...read(concerned.slice(0, attentionShown - attention.length)));
  }
  const questions = reportQueries(db, batch.id);
  return {
    batch,
    kind: parts.isSandbox(batch.environment) ? 'sandbox' : kindOfPlace(batch.environment.place),
    madeMs: clock.nowMs(),
    madeBy: operator,
    version,
    timeZone,
    rowCount,
    sums: tally.sums,
    paidTwice: payoutQueries(db, batch.id).paidTwice(),
    attention: { count: attentionCount, first: attention },
    outOfFile,
    rails: { count: questions.railCount(), first: questions.rails(railsShown) },
    verdicts: questions.verdicts(),
    ended: endedOverTime(questions, timeZone),
    diff: batchDiff(db, batch, noticePercent),
    decisions: { count: questions.decisionCount(), first: questions.decisions(decisionsShown) },
    chainEnd: rows.chainEnd(),
  };
}

function* reportRows(db: JournalDatabase, rows: ResultRows): Generator<readonly ReportRow[]> {
  const read = rowReader(db, rows);
  for (const page of rows.pages()) yield read(page);
}

type Row = Parameters<typeof reportRow>[0];

/** Of a page of rows at once: who is paid is asked for together. */
function rowReader(db: JournalDatabase, rows: ResultRows): (page: readonly Row[]) => ReportRow[] {
  const { columns } = rows.batch();
  const detailsOf = askPayeeDetails(db);
  return (page) => {
    const details = detailsOf(page.flatMap(({ payout }) => payout?.reference ?? []));
    return page.map((row) => reportRow(row, details.get(row.payout?.reference ?? ''), columns));
  };
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const steps = [
  ...[1, 2, 5, 10, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 30].map((count) => count * minute),
  ...[1, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 30, 90, 365].map((count) => count * day),
];
const mostSteps = 48;

/** In steps that people count in, beginning where they do: days at midnight. */
function endedOverTime(questions: ReportQueries, timeZone: string): EndedOverTime | undefined {
  const between = questions.endedBetween();
  if (!between) return undefined;
  const { firstMs, lastMs } = between;
  const stepMs = steps.find((step) => (lastMs - firstMs) / step < mostSteps - 1) ?? 3650 * day;
  const offsetMs = zoneOffsetMs(firstMs, timeZone);
  const fromMs = Math.floor((firstMs + offsetMs) / stepMs) * stepMs - offsetMs;
  return { firstMs, lastMs, fromMs, stepMs, shares: questions.endedInSteps(fromMs, stepMs) };
}

/** By how much the clocks of a time zone are ahead of UTC. */
function zoneOffsetMs(atMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  const offsetMs = Number(hours) * hour + Number(minutes) * minute;
  return sign === '-' ? -offsetMs : offsetMs;
}
