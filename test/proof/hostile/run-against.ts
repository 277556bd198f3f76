import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { type Clock, systemClock } from '../../../src/clock.ts';
import { exitCode, PayrunError } from '../../../src/errors.ts';
import { openJournal } from '../../../src/journal/open-journal.ts';
import { openLog } from '../../../src/logger.ts';
import { runBatch } from '../../../src/pipeline/run-batch.ts';
import { connectService } from '../../../src/service/client.ts';
import { journalPath, logPath, makeWorkspace } from '../../../src/workspace.ts';
import { plainRun } from '../../support/plain-run.ts';
import type { MeantRow } from '../oracle.ts';

/** What a run in this process left behind. */
export interface RanAgainst {
  readonly exit: number;
  /** What stopped it, if anything did; a bug with its stack. */
  readonly error: unknown;
  readonly results: readonly Readonly<Record<string, string>>[] | undefined;
  readonly resultsText: string;
  readonly logText: string;
}

export const meantRows: readonly MeantRow[] = [
  { key: 'P1', number: '+254712000101', currency: 'KES', amount: '100.00' },
  { key: 'P2', number: '+254712000102', currency: 'KES', amount: '100.00' },
  { key: 'P3', number: '+254712000111', currency: 'KES', amount: '300.00' },
];

export const apiKey = 'key-of-the-hostile-campaign';
const names = { P1: 'Amina Otieno', P2: 'John Kamau', P3: 'Amina Otieno' } as Record<string, string>;
const file = [
  'paymentId,accountName,country,currency,amount,phoneNumber',
  ...meantRows.map(
    ({ key, number, currency, amount }) => `${key},${names[key]},KE,${currency},${amount},${number}`,
  ),
].join('\n');

/** Time as it is, with every pause cut short: more is asked, nothing is waited for. */
const hasty: Clock = {
  ...systemClock,
  sleep: (durationMs, signal) => systemClock.sleep(Math.min(durationMs, 10), signal),
};

const timeoutMs = 250;

/** Pays three rows through a service, names unlooked at, in a folder that is gone afterwards. */
export async function runAgainst(url: string): Promise<RanAgainst> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'payrun-hostile-'));
  const workspace = join(folder, 'workspace');
  makeWorkspace(workspace);
  const db = openJournal(journalPath(workspace, 'live'));
  const log = openLog(logPath(workspace), { command: 'run' });
  const publicKey = 'public-key-of-the-campaign';
  const service = connectService({
    baseUrl: url,
    apiKey,
    publicKey,
    version: 'proof',
    timeoutMs,
    concurrency: 2,
    clock: hasty,
    readRetry: { attempts: 2, totalMs: 1_000 },
  });
  const path = join(folder, 'pay.csv');
  writeFileSync(path, file);
  const policy = {
    skipInvalid: false,
    onClose: 'pay',
    onMismatch: 'pay',
    onUnchecked: 'pay',
    limitPayout: new Map(),
  } as const;
  let exit: number = exitCode.ok;
  let error: unknown;
  try {
    const result = await runBatch({ db, workspace, clock: hasty, service, place: url, publicKey }, path, {
      ...plainRun,
      nowMs: systemClock.nowMs(),
      concurrency: 2,
      operator: 'proof',
      confirm: async () => true,
      onEvent: log.onEvent,
      signal: new AbortController().signal,
      policy,
      settings: {
        concurrency: 2,
        timeoutMs,
        quietPeriodMs: 500,
        resends: 1,
        settleForMs: 300,
        lookup: 'auto',
        phonePlus: true,
        namesMaxAgeMs: 24 * 3_600_000,
        policy,
      },
    });
    exit = result.kind === 'ran' ? result.summary.exit : result.planned.exit;
  } catch (thrown) {
    error = thrown;
    exit = thrown instanceof PayrunError ? thrown.exit : exitCode.unexpected;
  } finally {
    await service.close();
    db.close();
    log.close();
  }
  const resultsPath = join(folder, 'pay.results.csv');
  const resultsText = existsSync(resultsPath) ? readFileSync(resultsPath, 'utf8') : '';
  const logText = existsSync(logPath(workspace)) ? readFileSync(logPath(workspace), 'utf8') : '';
  rmSync(folder, { recursive: true, force: true });
  const results =
    resultsText === '' ? undefined : parse<Record<string, string>>(resultsText, { columns: true, bom: true });
  return { exit, error, results, resultsText, logText };
}
