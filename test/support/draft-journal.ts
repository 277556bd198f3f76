import { Readable } from 'node:stream';
import { fileColumns } from '../../src/domain/file-columns.ts';
import type { Payout } from '../../src/domain/payout/payout.ts';
import type { PayoutState } from '../../src/domain/payout/payout-state.ts';
import { type Acceptance, acceptDraft } from '../../src/journal/draft/accept-draft.ts';
import { createJournal, type PayoutChanges } from '../../src/journal/journal.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { type PlanOptions, planBatch } from '../../src/pipeline/3-plan-batch.ts';
import type { DraftOptions } from '../../src/pipeline/draft/draft-options.ts';
import type { DraftedFile } from '../../src/pipeline/draft/drafted-file.ts';
import { draftFile } from '../../src/pipeline/draft-file.ts';
import type { Plan } from '../../src/pipeline/plan/plan.ts';
import { draftDefaults } from './draft-options.ts';
import { fakeClock } from './fake-clock.ts';
import { knownEnvironment } from './known-environment.ts';
import { statePaths } from './state-paths.ts';

const dayMs = 24 * 3_600_000;

export interface PlannedText {
  readonly plan: Plan;
  /** `3: row-conflict …` of every problem. */
  readonly problems: readonly string[];
}

export type TextOptions = Partial<Omit<PlanOptions, 'nowMs'>> &
  Pick<Partial<DraftOptions>, 'batch' | 'isOnlyChecked'>;

/** A journal filled as a run fills it: files are planned and accepted, payouts led on by the journal's own verbs. */
export function openDraftJournal() {
  const db = openEmptyJournal();
  const clock = fakeClock({ startMs: draftDefaults.nowMs });
  const journal = createJournal(db, clock, { run: 'run', operator: 'a test' });

  async function draftAndPlan(text: string, options: TextOptions): Promise<[DraftedFile, Plan]> {
    const nowMs = clock.nowMs();
    const drafted = await draftFile(db, Readable.from([Buffer.from(text)]), {
      ...draftDefaults,
      batchOtherwise: 'payroll',
      batch: options.batch,
      isOnlyChecked: options.isOnlyChecked,
      nowMs,
    });
    const plan = planBatch(
      db,
      { ...drafted, batch: drafted.batch.name, complete: drafted.reading.facts.complete },
      {
        nowMs,
        timeZone: () => 'UTC',
        environment: knownEnvironment('sandbox somebody'),
        repeatWindowMs: 5 * dayMs,
        allowRepeats: 0,
        sameBatch: false,
        noticePercent: 25,
        policies: { onClose: 'hold' },
        ...options,
      },
    );
    return [drafted, plan];
  }

  async function plan(text: string, options: TextOptions = {}): Promise<PlannedText> {
    const [{ draft, questions }, planned] = await draftAndPlan(text, options);
    const problems = [...questions.problems()].map(
      ({ line, code, message }) => `${line}: ${code} ${message}`,
    );
    draft.close();
    return { plan: planned, problems };
  }

  async function accept(text: string, options: TextOptions = {}): Promise<Acceptance> {
    const [drafted, planned] = await draftAndPlan(text, options);
    const { header, facts } = drafted.reading;
    const acceptance = await journal.moveTogether((move) =>
      acceptDraft(
        { db, clock, journal, move },
        {
          name: planned.batch,
          pattern: drafted.batch.pattern,
          environment: knownEnvironment('sandbox somebody'),
          keyKind: planned.keyKind,
          fileName: drafted.fileName,
          fileDigest: facts.digest ?? '',
          resultsPath: `/nowhere/${planned.batch}.results.csv`,
          columns: header ? fileColumns(header) : [],
          delimiter: ',',
          policy: {},
          limitPayout: new Map(),
          bounds: new Map(),
        },
        { known: planned.knownBatch, isPart: drafted.isPart, digest: planned.digest },
      ),
    );
    drafted.draft.close();
    return acceptance;
  }

  function payout(key: string, batch = 'payroll'): Payout {
    const id = db
      .prepare<[string, string], number>(
        'SELECT payouts.id FROM payouts JOIN batches ON batches.id = batch WHERE key = ? AND name = ?',
      )
      .pluck()
      .get(key, batch);
    return journal.read(id ?? 0);
  }

  /** Moves a payout on, as a run or a person would have. */
  async function lead(
    key: string,
    state: PayoutState,
    { batch = 'payroll', ...changes }: PayoutChanges & { batch?: string } = {},
  ): Promise<void> {
    for (const [index, to] of statePaths[state].entries()) {
      const present = payout(key, batch);
      if (to === 'submitting') await journal.beginSend(present, 'sent');
      else {
        const sent = to === 'submitted' ? { submittedMs: clock.nowMs() } : {};
        const last = index === statePaths[state].length - 1 ? changes : {};
        await journal.move({ payout: present, to, why: 'led', changes: { ...sent, ...last } });
      }
    }
  }

  return {
    db,
    journal,
    plan,
    accept,
    payout,
    lead,
    passDays: (days: number) => clock.setWall(clock.nowMs() + days * dayMs),
  };
}
