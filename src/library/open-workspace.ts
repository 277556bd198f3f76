import { resolve } from 'node:path';
import { systemClock } from '../clock.ts';
import { checkConfig } from '../config.ts';
import { readConfig } from '../config-file.ts';
import type { ApprovalPolicies } from '../domain/approval/approval-policy.ts';
import type { Environment, EnvironmentKind } from '../domain/environment/environment.ts';
import { PayrunError } from '../errors.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { closeJournal, sharedOf } from '../journal/shared/shared-of.ts';
import { readUntil } from '../pipeline/plan/read-until.ts';
import { unlessStopped } from '../pipeline/run/stopped-first.ts';
import type { PaceShare } from '../service/shared-pace.ts';
import { workspaceExists } from '../workspace.ts';
import { type Connection, connect, kindOf } from './connect.ts';
import { journalPlace } from './journal-place.ts';
import type { PayrunOptions } from './payrun-options.ts';
import { settingsFrom, settingsOfConfig } from './settings.ts';

/** What every use case needs: settings, and a journal and a service that the first who asks for them opens. */
export function openWorkspace(options: PayrunOptions) {
  const { service: choice, clock = systemClock, operator = 'library', pulse } = options;
  const workspace = resolve(options.workspace);
  const inside = workspaceExists(workspace) ? workspace : undefined;
  const config = options.config ?? checkConfig(readConfig(undefined, inside));
  const settings = settingsFrom(settingsOfConfig(config), options.settings ?? {});
  const kind: EnvironmentKind = choice === undefined ? 'live' : kindOf(choice);
  const opened: JournalDatabase[] = [];
  let opening: Promise<JournalDatabase | undefined> = Promise.resolve(undefined);
  let isClaimed = false;
  let connection: Promise<Connection> | undefined;

  const keep = (db: JournalDatabase): JournalDatabase => {
    opened.push(db);
    return db;
  };
  const place = journalPlace(workspace, kind, options.journalUrl);
  /** One at a time: whoever asks while it is being opened waits for that one. */
  const open = (mayMake: boolean): Promise<JournalDatabase | undefined> => {
    opening = opening.then(async (before) => {
      if (before) await sharedOf(before)?.catchUp();
      const db = before ?? (await place.open(mayMake));
      if (db && db !== before) {
        keep(db);
        isClaimed = false;
      }
      if (db && !isClaimed && (mayMake || workspaceExists(workspace))) {
        await place.claim(db);
        isClaimed = true;
      }
      return db;
    });
    const asked = opening;
    // One that could not be opened is tried again by the next who asks.
    opening = asked.catch(() => undefined);
    return asked;
  };
  /** What looks back must not begin an empty memory. */
  const known = async (): Promise<JournalDatabase> => {
    const db = await open(false);
    if (!db) throw noJournal(workspace, kind, options.journalUrl !== undefined);
    return db;
  };
  /** A copy of a shared journal that has what paying takes, and no more. */
  const knownToPay = async (): Promise<JournalDatabase> => {
    const db = await place.openToPay();
    if (!db) throw noJournal(workspace, kind, options.journalUrl !== undefined);
    keep(db);
    if (workspaceExists(workspace)) await place.claim(db);
    return db;
  };
  /** A shared journal is made by `init` alone: one that is not there is more likely not the one that was meant. */
  const openAt = async (): Promise<JournalDatabase> =>
    options.journalUrl !== undefined && kind !== 'sandbox' ? known() : makeAt();
  const makeAt = async (): Promise<JournalDatabase> => (await open(true)) ?? known();
  const remembers = async (): Promise<boolean> => (await open(false)) !== undefined;
  /** A plan makes no journal: where there is none, it knows no earlier payments. */
  const remembered = async (): Promise<JournalDatabase> => (await open(false)) ?? emptyJournal();
  const emptyJournal = async (): Promise<JournalDatabase> =>
    keep((await import('../journal/open-journal.ts')).openEmptyJournal());

  const connected = (paceShare?: PaceShare): Promise<Connection> => {
    if (choice === undefined) throw noService();
    connection ??= connect(choice, workspaceExists(workspace) ? workspace : undefined, settings, clock, {
      pulse,
      paceShare,
    });
    return connection;
  };
  const account = async (
    signal?: AbortSignal,
  ): Promise<Connection & { readonly environment: Environment }> => {
    const { readProfile } = await import('../pipeline/plan/inspect-service.ts');
    const asked = await connected();
    const reading = readProfile(signal ? readUntil(asked.service, signal) : asked.service, asked);
    const { environment } = await (signal
      ? unlessStopped(reading, signal, 'the service said whose account it is')
      : reading);
    return { ...asked, environment };
  };
  const batchOf = async (name: string): Promise<{ db: JournalDatabase; batch: BatchRecord }> => {
    const db = await known();
    const { knownBatch } = await import('../journal/known-batch.ts');
    return { db, batch: knownBatch(db, name) };
  };
  const policiesOf = async (db: JournalDatabase): Promise<ApprovalPolicies> => {
    const { readApprovalPolicy } = await import('../journal/approval-log.ts');
    const { policyOfConfig } = await import('../domain/approval/approval-policy.ts');
    return { now: policyOfConfig(config), before: readApprovalPolicy(db) };
  };
  return {
    choice,
    clock,
    operator,
    workspace,
    settings,
    kind,
    journalPlace: place.text,
    openAt,
    makeAt,
    remembers,
    known,
    knownToPay,
    remembered,
    emptyJournal,
    connected,
    account,
    batchOf,
    policiesOf,
    async close(): Promise<void> {
      // One that could not be made was told to whoever wanted it.
      await (await connection?.catch(() => undefined))?.close();
      for (const db of opened) await closeJournal(db);
    },
  };
}

export type OpenWorkspace = ReturnType<typeof openWorkspace>;

function noJournal(workspace: string, kind: EnvironmentKind, isShared: boolean): PayrunError {
  if (isShared)
    return new PayrunError(
      'no-journal',
      `There is no journal at PAYRUN_JOURNAL_URL. Is it another database? If this is the first time, make it with: payrun init${kind === 'sandbox' ? ' --sandbox' : ''}`,
    );
  return new PayrunError(
    'no-journal',
    `There is no journal in ${workspace}${kind === 'sandbox' ? ' for the embedded sandbox' : ''}. Is it another workspace? Name it with --workspace.${kind === 'sandbox' ? '' : ' What was paid with --sandbox is found with --sandbox.'}`,
  );
}

function noService(): PayrunError {
  return new PayrunError('credentials-missing', 'No service was given.');
}
