import { randomUUID } from 'node:crypto';
import { systemClock } from '../../clock.ts';
import { type CarriedOut, carryOut, type Decision } from '../../decisions/carry-out.ts';
import { environmentText } from '../../domain/environment/environment.ts';
import { counted } from '../../domain/text/counted.ts';
import { exitCode } from '../../errors.ts';
import { type BatchLock, lockBatch } from '../../journal/batch-lock.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';
import { createJournal, type Journal } from '../../journal/journal.ts';
import type { JournalDatabase } from '../../journal/open-journal.ts';
import { askPayouts } from '../../journal/payouts/payout-queries.ts';
import { openResultRows } from '../../journal/payouts/result-rows.ts';
import { writeResults } from '../../pipeline/8-write-results.ts';
import {
  type DecisionOutcome,
  decisionDocument,
  decisionReport,
  type ToSend,
} from '../../report/decision-report.ts';
import { jsonText, terminalText } from '../../report/terminal-text.ts';
import type { DecisionFlags } from '../flags/decision-flags.ts';
import { nextBatchCommand } from '../flags/next-batch-command.ts';
import { environmentWord } from '../setup/connect.ts';
import { type KnownJournal, knownBatch, openKnownJournal } from '../setup/open-known-journal.ts';
import { operatorName } from '../setup/operator.ts';
import { printText } from '../terminal/print.ts';

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
const silentMs = 1_000;

/** A decision from beginning to end: the batch's lock, one transaction, the results anew, and what to do next. */
export async function runDecision(flags: DecisionFlags, command: DecisionCommand): Promise<void> {
  const opened = openKnownJournal(flags);
  try {
    const batch = knownBatch(opened.db, flags.batch);
    const lock = await lockSaying(opened.workspace, batch.name);
    try {
      // A run of its own, which never sends: whatever goes out after it is looked up first.
      const run = `decision ${randomUUID()}`;
      const journal = createJournal(opened.db, systemClock, { run, operator: operatorName() });
      const decision = await command.decide({ ...opened, batch, run });
      const carried = await carryOut(opened.db, journal, batch, decision);
      // Where nothing moved as well: a run that was killed has left results that know less than the journal.
      await rewriteResults(opened, batch, journal, flags, command.done, carried);
      await report(opened, batch, flags, command, carried, decision.repeats !== undefined);
    } finally {
      lock.release();
    }
  } finally {
    opened.db.close();
  }
}

async function lockSaying(workspace: string, batch: string): Promise<BatchLock> {
  const saying = setTimeout(() => {
    const forSeconds = lockWaitMs / 1000;
    process.stderr.write(
      terminalText(
        `Another payrun is working on batch ${batch}; waiting up to ${forSeconds} s. To stop it, press Ctrl-C there.\n`,
      ),
    );
  }, silentMs);
  try {
    return await lockBatch(workspace, batch, systemClock, lockWaitMs);
  } finally {
    clearTimeout(saying);
  }
}

async function rewriteResults(
  { db, config }: KnownJournal,
  batch: BatchRecord,
  journal: Journal,
  flags: DecisionFlags,
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
    const again = nextBatchCommand('results', batch.name, flags);
    if (moved > 0)
      tell(`${counted(moved, 'payout')} ${done}: that stands. Write the results again with: ${again}`);
    throw error;
  }
}

async function report(
  { db, kind }: KnownJournal,
  batch: BatchRecord,
  flags: DecisionFlags,
  command: DecisionCommand,
  carried: CarriedOut,
  sends: boolean,
): Promise<void> {
  const outcome: DecisionOutcome = {
    ...carried,
    batch: batch.name,
    place: `${environmentWord[kind]}  ${environmentText(batch.environment)}`,
    done: command.done,
    toSend: sends ? unsentOf(db, batch) : undefined,
    next: carried.moved === 0 ? undefined : nextOf(db, batch, flags, command, carried),
  };
  await printText(flags.json ? jsonText(decisionDocument(outcome)) : decisionReport(outcome));
  process.exitCode = carried.left.length > 0 ? exitCode.someNotPaid : exitCode.ok;
}

function nextOf(
  db: JournalDatabase,
  batch: BatchRecord,
  flags: DecisionFlags,
  command: DecisionCommand,
  { moved }: CarriedOut,
): string | undefined {
  const unfinished = ['planned', 'ready', 'submitting', 'submitted', 'unclear'] as const;
  const goesOn = askPayouts(db, batch.id).count(unfinished) > 0;
  return command.next?.(moved) ?? (goesOn ? nextBatchCommand('resume', batch.name, flags) : undefined);
}

/** With what an earlier run left unsent: a person must not be surprised by the sum. */
function unsentOf(db: JournalDatabase, batch: BatchRecord): ToSend {
  const amounts = new Map<string, bigint>();
  let payouts = 0;
  for (const { state, currency, count, amountMinor } of askPayouts(db, batch.id).statuses()) {
    if (state !== 'planned' && state !== 'ready' && state !== 'submitting') continue;
    payouts += count;
    amounts.set(currency, (amounts.get(currency) ?? 0n) + amountMinor);
  }
  return { payouts, amounts };
}
