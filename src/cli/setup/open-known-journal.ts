import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { nearestText } from '../../domain/text/nearest-text.ts';
import { exitCode, PayrunError } from '../../errors.ts';
import { type BatchRecord, readBatch } from '../../journal/batch-record.ts';
import { type JournalDatabase, openJournal } from '../../journal/open-journal.ts';
import { batchNames } from '../../journal/payouts/status-queries.ts';
import { type EnvironmentKind, journalPath, makeWorkspace } from '../../workspace.ts';
import { findWorkspace, type WorkspaceFlags } from '../flags/workspace-flags.ts';
import { environmentKind } from './connect.ts';

export interface KnownJournal {
  readonly db: JournalDatabase;
  readonly workspace: string;
  readonly config: Config;
  readonly kind: EnvironmentKind;
}

/** The journal of a workspace that is there already: what looks back must not begin an empty memory. */
export function openKnownJournal(flags: WorkspaceFlags): KnownJournal {
  const { path, exists, config } = findWorkspace(flags);
  const kind = environmentKind(flags.sandbox, config) ?? 'live';
  const journal = journalPath(path, kind);
  if (!exists || !existsSync(journal)) {
    throw new PayrunError(
      'no-journal',
      exitCode.configuration,
      `There is no journal in ${path}${flags.sandbox ? ' for the embedded sandbox' : ': for the embedded sandbox add --sandbox'}. Is it another workspace? Name it with --workspace.`,
    );
  }
  makeWorkspace(path);
  return { db: openJournal(journal), workspace: path, config, kind };
}

export function knownBatch(db: JournalDatabase, name: string): BatchRecord {
  const batch = readBatch(db, name);
  if (batch) return batch;
  const names = batchNames(db);
  const meant = nearestText(name, names);
  const hint =
    meant !== undefined
      ? `Did you mean ${meant}?`
      : names.length === 0
        ? 'The journal holds none yet.'
        : `Known are: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ' …' : ''}.`;
  throw new PayrunError('batch-unknown', exitCode.usage, `There is no batch "${name}". ${hint}`);
}
