import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Payout } from '../../src/domain/payout/payout.ts';
import type { JournalDatabase } from '../../src/journal/journal-database.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { parseFaultPlan } from '../../src/sandbox/faults/fault-plan.ts';
import { startSandbox } from '../../src/sandbox/start-sandbox.ts';
import { journalPath, makeWorkspace } from '../../src/workspace.ts';
import { type Finished, runPayrun } from '../support/run-payrun.ts';
import { callSandbox, type SandboxCaller } from '../support/sandbox-caller.ts';
import { type SeededPayout, type SeedOptions, seedBatch } from '../support/seed-journal.ts';

export interface SeededWorkspace {
  readonly folder: string;
  readonly workspace: string;
  readonly results: string;
  readonly env: Readonly<Record<string, string>>;
  readonly db: JournalDatabase;
  readonly payout: (key: string) => Payout;
  readonly payrun: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Finished>;
}

/** A workspace whose journal holds one batch, `payroll`, and the command line that works on it. */
export async function seededWorkspace(
  payouts: readonly SeededPayout[],
  options: SeedOptions = {},
  service: Readonly<Record<string, string>> = {},
): Promise<SeededWorkspace> {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-cli-'));
  const workspace = join(folder, 'workspace');
  const results = join(folder, 'payroll.results.csv');
  makeWorkspace(workspace);
  const db = openJournal(journalPath(workspace, 'live'));
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });
  const { payout } = await seedBatch(db, payouts, { resultsPath: results, ...options });
  const env = { PAYRUN_WORKSPACE: workspace, PAYRUN_OPERATOR: 'amina', ...service };
  return {
    folder,
    workspace,
    results,
    env,
    db,
    payout,
    payrun: (args, more = {}) => runPayrun(args, { cwd: folder, env: { ...env, ...more } }),
  };
}

/** A service that settles at once, how to reach it by settings, and what its batches are bound to. */
export async function startService(
  faults = '',
): Promise<{ caller: SandboxCaller; settings: Record<string, string>; environment: string }> {
  const sandbox = await startSandbox({ settleAfterMs: 0, faults: parseFaultPlan(faults, '1') });
  onTestFinished(() => sandbox.close());
  return {
    caller: await callSandbox(sandbox),
    settings: {
      PAYRUN_BASE_URL: sandbox.url,
      PAYRUN_API_KEY: sandbox.apiKey,
      PAYRUN_PUBLIC_KEY: sandbox.publicKey,
    },
    environment: `${sandbox.url}/api/b2b payroll@example.com`,
  };
}

/** Pays what the payout says, behind the journal's back. Gives the transaction. */
export async function payBehind(caller: SandboxCaller, payout: Payout, amount = 1500): Promise<string> {
  const { country, currency, destination, number, reference } = payout;
  const { body } = await caller.post('/fiat/payout', {
    amount,
    currency,
    country,
    destination,
    externalReference: reference,
    payoutMethod: { accountName: payout.accountName, accountNumber: number, code: 'mpesa' },
  });
  return body.transactionId as string;
}
