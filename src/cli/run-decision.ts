import { randomUUID } from 'node:crypto';
import { systemClock } from '../clock.ts';
import { type CarriedOut, carryOut, type Decision } from '../decisions/carry-out.ts';
import { exitCode } from '../errors.ts';
import { lockBatch } from '../journal/batch-lock.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import { createJournal, type Journal } from '../journal/journal.ts';
import { askPayouts } from '../journal/payout-pages.ts';
import { openResultRows } from '../journal/result-rows.ts';
import { writeResults } from '../pipeline/8-write-results.ts';
import { counted } from '../report/counted.ts';
import { jsonText, terminalText } from '../report/terminal-text.ts';
import { environmentWord } from './connect.ts';
import type { DecisionFlags } from './decision-flags.ts';
import { nextBatchCommand } from './next-batch-command.ts';
import { type KnownJournal, knownBatch, openKnownJournal } from './open-known-journal.ts';
import { operatorName } from './operator.ts';
import { printText } from './print.ts';

/** What a command has to say for itself. */
export interface DecisionCommand {
  readonly done: string;
  /** Makes the decision, knowing the journal and the run it is made in. May ask the service; sends nothing. */
  readonly decide: (opened: DecisionContext) => Decision | Promise<Decision>;
  /** What to do next, where that is something else than to go on with the batch. */
  readonly next?: (moved: number) => string | undefined;
}

export interface DecisionContext extends KnownJournal {
  readonly batch: BatchRecord;
  readonly run: string;
}

/** A person may be watching: a run that is about to end is waited for. */
const lockWaitMs = 30_000;

/** A decision from beginning to end: the batch's lock, one transaction, the results anew, and what to do next. */
export async function runDecision(flags: DecisionFlags, command: DecisionCommand): Promise<void> {
  const opened = openKnownJournal(flags);
  try {
    const batch = knownBatch(opened.db, flags.batch);
    const lock = await lockBatch(opened.workspace, batch.name, systemClock, lockWaitMs);
    try {
      // A run of its own, which never sends: whatever goes out after it is looked up first.
      const run = `decision ${randomUUID()}`;
      const journal = createJournal(opened.db, systemClock, { run, operator: operatorName() });
      const decision = await command.decide({ ...opened, batch, run });
      const carried = await carryOut(opened.db, journal, batch, decision);
      if (carried.moved > 0) await rewriteResults(opened, batch, journal, command.done, carried);
      await report(opened, batch, flags, command, carried);
    } finally {
      lock.release();
    }
  } finally {
    opened.db.close();
  }
}

async function rewriteResults(
  { db, config }: KnownJournal,
  batch: BatchRecord,
  journal: Journal,
  done: string,
  { moved }: CarriedOut,
): Promise<void> {
  const tell = (message: string) => process.stderr.write(terminalText(`${message}\n`));
  try {
    await writeResults({
      rows: openResultRows(db, batch.id, journal.writer.run),
      journal,
      timeZone: config.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      onEvent: (event) => {
        if (event.kind === 'notice') tell(event.message);
      },
    });
  } catch (error) {
    tell(`${counted(moved, 'payout')} ${done}: that stands, whatever became of the results.`);
    throw error;
  }
}

async function report(
  { db, kind }: KnownJournal,
  batch: BatchRecord,
  flags: DecisionFlags,
  command: DecisionCommand,
  { moved, left }: CarriedOut,
): Promise<void> {
  const unfinished = askPayouts(db, batch.id).count([
    'planned',
    'ready',
    'submitting',
    'submitted',
    'unclear',
  ]);
  const next =
    command.next?.(moved) ?? (unfinished > 0 ? nextBatchCommand('resume', batch.name, flags) : undefined);
  if (flags.json) {
    const stayed = left.map(({ payout, why }) => ({ payment: payout.key, state: payout.state, why }));
    await printText(jsonText({ batch: batch.name, moved, left: stayed, next: next ?? null }));
  } else {
    const lines = [
      `${environmentWord[kind]}  ${batch.environment}`,
      `Batch ${batch.name}: ${counted(moved, 'payout')} ${command.done}. Nothing was sent.`,
      ...left.map(({ payout, why }) => `  left as it is: payment ${payout.key}: ${why}`),
      ...(next === undefined ? [] : [`Next: ${next}`]),
    ];
    await printText(lines.join('\n'));
  }
  process.exitCode = left.length > 0 ? exitCode.someNotPaid : exitCode.ok;
}
