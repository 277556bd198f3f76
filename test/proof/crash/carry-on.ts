import { auditService } from '../../../src/audit/audit-service.ts';
import { systemClock } from '../../../src/clock.ts';
import { AuditFindings } from '../../../src/domain/payout/audit-findings.ts';
import { type BatchRecord, readBatch } from '../../../src/journal/batch-record.ts';
import { createJournal } from '../../../src/journal/journal.ts';
import type { JournalDatabase } from '../../../src/journal/journal-database.ts';
import { auditJournal } from '../../../src/journal/payouts/audit-journal.ts';
import { payoutQueries } from '../../../src/journal/payouts/payout-queries.ts';
import { closeJournal } from '../../../src/journal/shared/shared-of.ts';
import { connectService } from '../../../src/service/client.ts';
import { judge, type Violation } from '../oracle.ts';
import type { EndedRun } from './run-under-shim.ts';
import type { Site } from './site.ts';

export interface CarriedOn {
  /** Runs that it took until one said that all is paid. */
  readonly runs: number;
  readonly violations: readonly Violation[];
}

/** Some pending; stopped early: both say, run it again. */
const runAgain = [4, 5];
const mostRuns = 8;

/**
 * The whole recovery procedure: the same command again until it ends by itself. Then the service's ledger against the
 * results, the journal against itself and against the service, and the same command once more, which must send nothing.
 */
export async function carryOn(site: Site, replay: string): Promise<CarriedOn> {
  const violations: Violation[] = [];
  let runs = 0;
  let last: EndedRun;
  do {
    last = await site.run();
    runs += 1;
    violations.push(...troublesOf(last, [0, ...runAgain], replay));
  } while (runs < mostRuns && last.exit !== null && runAgain.includes(last.exit));
  if (last.exit !== 0 && violations.length === 0) {
    violations.push({
      kind: 'stuck',
      replay,
      text: `${runs} runs, and the last still ends with ${last.exit}: ${last.stderr.slice(-2_000)}`,
    });
  }
  violations.push(...(await judgeSite(site, replay, last.exit === 0)));
  if (violations.length > 0) return { runs, violations };
  violations.push(...(await auditOf(site, replay)));
  violations.push(...(await onceMore(site, replay)));
  return { runs, violations };
}

/** What no run may do, whatever was done to it. */
export function troublesOf(run: EndedRun, exits: readonly number[], replay: string): Violation[] {
  const { exit, stderr } = run;
  if (run.hung) return [{ kind: 'stuck', replay, text: `a run did not end: ${stderr}` }];
  if (exit === null || !exits.includes(exit) || /^\s+at .+:\d+:\d+\)?$/m.test(stderr)) {
    return [{ kind: 'crash', replay, text: `a run ended with ${exit}: ${stderr}` }];
  }
  return [];
}

/** The ledger against the results; and the ledger's own books. */
export async function judgeSite(site: Site, replay: string, finished: boolean): Promise<Violation[]> {
  const ledger = await site.service.ledger();
  const judged = judge({ replay, meant: site.rows, ledger, claimed: site.claims(), finished });
  const books = await site.service.books();
  return [
    ...judged,
    ...books.map((text): Violation => ({ kind: 'lie', replay, text: `the books: ${text}` })),
  ];
}

/** Every transaction that the service has must be one whose intent is in the journal. */
export async function blindSends(site: Site, replay: string): Promise<Violation[]> {
  const intents = new Set(await site.intents());
  const ledger = await site.service.ledger();
  return ledger
    .filter(({ reference }) => !intents.has(reference))
    .map(({ reference, amount }) => ({
      kind: 'blind',
      replay,
      text: `${reference} (${amount}) was sent, and the journal does not know`,
    }));
}

async function onceMore(site: Site, replay: string): Promise<Violation[]> {
  const sends = (await site.intents()).length;
  const moved = (await site.service.ledger()).length;
  const run = await site.run();
  const violations = troublesOf(run, [0], replay);
  const sentMore = (await site.intents()).length - sends;
  const movedMore = (await site.service.ledger()).length - moved;
  if (sentMore > 0 || movedMore > 0) {
    const text = `a finished batch, run again, sent ${sentMore} payouts and moved ${movedMore}`;
    violations.push({ kind: 'double', replay, text });
  }
  violations.push(...(await judgeSite(site, replay, true)));
  return violations;
}

/** `audit --service`, without the cost of starting it. */
async function auditOf(site: Site, replay: string): Promise<Violation[]> {
  const db = await site.openJournal();
  try {
    const findings = new AuditFindings();
    const batch = readBatch(db, 'november');
    if (!batch) return [{ kind: 'lost', replay, text: 'the journal has no batch' }];
    auditJournal(db, [batch], findings);
    await askService(site, db, batch, findings);
    return findings.worstFirst().map(({ kind, message }) => ({
      kind: 'chain',
      replay,
      text: `audit: ${kind}: ${message}`,
    }));
  } finally {
    await closeJournal(db);
  }
}

async function askService(
  { service: { url: baseUrl, apiKey, publicKey } }: Site,
  db: JournalDatabase,
  batch: BatchRecord,
  findings: AuditFindings,
): Promise<void> {
  const service = connectService({
    baseUrl,
    apiKey,
    publicKey,
    version: 'proof',
    timeoutMs: 10_000,
    concurrency: 8,
    readRetry: { attempts: 3, totalMs: 20_000 },
  });
  try {
    const readPayout = createJournal(db, systemClock, { run: 'audit', operator: 'proof' }).read;
    const payouts = payoutQueries(db, batch.id);
    await auditService({ service, payouts, batch, concurrency: 8, findings, readPayout });
  } finally {
    await service.close();
  }
}
