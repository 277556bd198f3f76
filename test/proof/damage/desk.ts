import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { systemClock } from '../../../src/clock.ts';
import { PayrunError } from '../../../src/errors.ts';
import { openJournal } from '../../../src/journal/open-journal.ts';
import type { RunSettings } from '../../../src/pipeline/run/run-context.ts';
import type { RunBatchOptions } from '../../../src/pipeline/run/run-options.ts';
import { runBatch } from '../../../src/pipeline/run-batch.ts';
import { connectService } from '../../../src/service/client.ts';
import { journalPath, makeWorkspace } from '../../../src/workspace.ts';
import { plainRun } from '../../support/plain-run.ts';
import { type ClaimedRow, claimsOf, type MeantRow } from '../oracle.ts';
import type { ServiceUnderProof } from '../service-under-proof.ts';

/** How a run ended: its exit code and, where it was stopped, the code of what stopped it. */
export interface DeskRun {
  readonly exit: number;
  readonly code: string;
}

/** A folder with a workspace and files to pay, through the library: a process for each run would take the most time. */
export interface Desk {
  readonly folder: string;
  readonly journalFile: string;
  /** Stops by itself, as a person would stop it, once so many payouts were accepted. */
  run(batch: string, rows: readonly MeantRow[], stopAfter?: number): Promise<DeskRun>;
  claims(batch: string): ClaimedRow[] | undefined;
  remove(): void;
}

/** Nobody is enrolled: names are strangers' at first, and then what is stored with the accounts. Neither is the point. */
const policy: RunSettings['policy'] = {
  skipInvalid: false,
  onClose: 'hold',
  onMismatch: 'pay',
  onUnchecked: 'pay',
  limitPayout: new Map(),
};

const settings: RunSettings = {
  concurrency: 3,
  timeoutMs: 500,
  quietPeriodMs: 1_000,
  resends: 10,
  settleForMs: 8_000,
  lookup: 'auto',
  phonePlus: true,
  namesMaxAgeMs: 24 * 60 * 60 * 1000,
  policy,
};

export function openDesk(folder: string, service: ServiceUnderProof): Desk {
  const workspace = join(folder, 'workspace');
  mkdirSync(folder, { recursive: true });
  makeWorkspace(workspace);
  const journalFile = journalPath(workspace, 'live');
  const resultsFile = (batch: string) => join(folder, `${batch}.results.csv`);
  return {
    folder,
    journalFile,
    async run(batch, rows, stopAfter) {
      const file = join(folder, `${batch}.csv`);
      writeFileSync(file, csvOf(rows));
      const { url: baseUrl, apiKey, publicKey } = service;
      const connection = connectService({
        baseUrl,
        apiKey,
        publicKey,
        version: 'proof',
        timeoutMs: settings.timeoutMs,
        concurrency: settings.concurrency,
        readRetry: { attempts: 5, totalMs: 5_000 },
      });
      let db: ReturnType<typeof openJournal> | undefined;
      try {
        db = openJournal(journalFile);
        const configured = { place: `${baseUrl}/api/b2b`, publicKey };
        const parts = { db, workspace, clock: systemClock, service: connection, ...configured };
        const result = await runBatch(parts, file, optionsOf(stopAfter));
        return result.kind === 'ran'
          ? { exit: result.summary.exit, code: result.summary.stopped?.code ?? '' }
          : { exit: result.planned.exit, code: result.planned.plan.guards[0]?.code ?? 'refused' };
      } catch (error) {
        if (error instanceof PayrunError) return { exit: error.exit, code: error.code };
        // What the command line would call an unexpected error. It stops the run all the same.
        return { exit: 1, code: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
      } finally {
        await connection.close();
        db?.close();
      }
    },
    claims(batch) {
      const path = resultsFile(batch);
      return existsSync(path) ? claimsOf(parse(readFileSync(path), { columns: true, bom: true })) : undefined;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function optionsOf(stopAfter: number | undefined): RunBatchOptions {
  const stop = new AbortController();
  let accepted = 0;
  return {
    ...plainRun,
    nowMs: systemClock.nowMs(),
    concurrency: settings.concurrency,
    operator: 'proof',
    signal: stop.signal,
    confirm: async () => true,
    onEvent: (event) => {
      if (event.kind !== 'moved' || event.to !== 'submitted') return;
      accepted += 1;
      if (accepted === stopAfter) stop.abort();
    },
    policy,
    settings,
  };
}

function csvOf(rows: readonly MeantRow[]): string {
  const lines = rows.map(
    ({ key, number, currency, amount }) => `${key},Worker ${word(key)},KE,${currency},${amount},${number}`,
  );
  return `${['paymentId,accountName,country,currency,amount,phoneNumber', ...lines].join('\n')}\n`;
}

/** Names of letters only, one for each row. */
function word(key: string): string {
  return `K${[...key].map((sign) => String.fromCharCode(97 + (sign.charCodeAt(0) % 26))).join('')}`;
}
