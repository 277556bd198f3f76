import { strict as assert } from 'node:assert';
import { type Environment, environmentChanges, environmentKey } from '../domain/environment/environment.ts';
import { fileColumns } from '../domain/file-columns.ts';
import type { Minor } from '../domain/money/money.ts';
import { policyDocument } from '../domain/policy.ts';
import { PayrunError } from '../errors.ts';
import { noteAcceptedDraft } from '../journal/accepted-drafts.ts';
import { readBatch } from '../journal/batch-record.ts';
import { bindBatch } from '../journal/bind-batch.ts';
import { numberAhead } from '../journal/chunks.ts';
import { acceptDraft } from '../journal/draft/accept-draft.ts';
import { planQueries } from '../journal/draft/plan-queries.ts';
import type { Journal } from '../journal/journal.ts';
import { keepReadWith } from '../journal/read-with.ts';
import { accountTaken } from './environment/ask-account.ts';
import { reboundFor } from './environment/rebind-batch.ts';
import { amountsToType } from './plan/goes-now.ts';
import type { PlannedFile } from './plan/planned-file.ts';
import type { PlannedRun } from './plan-run.ts';
import type { RunContext } from './run/run-context.ts';
import type { RunBatchOptions, RunBatchParts } from './run/run-options.ts';

/** What a person or a limit has let through, beside the plan. */
interface Confirmed extends PlannedRun {
  readonly resultsPath: string;
}

/** One transaction, which asks once more: another batch may have been accepted while a person was reading. */
export function acceptPlan(
  parts: RunBatchParts,
  journal: Journal,
  { planned, bounds, resultsPath, isRebound }: Confirmed,
  options: RunBatchOptions,
): Promise<RunContext['batch']> {
  const { db, clock } = parts;
  const { plan, drafted, isAccountShown, policy } = planned;
  const questions = planQueries(db);
  const { header, facts } = drafted.reading;
  const environment = accountOf(planned);
  const typed = options.isTyped ? amountsToType(planned) : new Map<string, Minor>();
  const { confirmTotal, maxTotal } = options.limits;
  const stated = new Set([...confirmTotal.keys(), ...maxTotal.keys(), ...typed.keys()]);
  return journal.moveTogether((move) => {
    const known = readBatch(db, plan.batch);
    if (known) questions.decideFates(known);
    const { count } = questions.repeats(
      known?.id ?? -1,
      plan.keyKind,
      options.nowMs - options.repeatWindowMs,
      1,
    );
    if (count > options.allowRepeats) throw moved(count);
    if (known && environmentKey(known.environment) !== environmentKey(environment)) {
      const isChanged = environmentChanges(known.environment, environment).length > 0;
      assert(isRebound || !isChanged, 'a batch never changes its account unasked');
      const why = isChanged ? reboundFor('a yes at the terminal') : accountTaken;
      bindBatch(db, clock, journal.writer, known, environment, { why, keepsProof: isAccountShown });
    }
    const accepted = acceptDraft(
      { db, clock, journal, move },
      {
        name: plan.batch,
        pattern: drafted.batch.pattern,
        environment,
        keyKind: plan.keyKind,
        fileName: drafted.fileName,
        fileDigest: facts.digest ?? '',
        resultsPath,
        columns: header ? fileColumns(header) : [],
        delimiter: header?.delimiter ?? ',',
        policy: policyDocument(policy),
        limitPayout: policy.limitPayout,
        bounds,
      },
      {
        known,
        isPart: drafted.isPart,
        digest: plan.digest,
        typed,
        confirmed: new Map([...bounds].filter(([currency]) => stated.has(currency))),
        repeats: options.allowRepeats,
      },
    );
    options.consent?.record(accepted.batch, planned, journal.writer);
    noteAcceptedDraft(db, accepted.batch, options.consent?.id ?? plan.digest);
    if (options.workers !== undefined) numberAhead(db, accepted.batch, options.chunk);
    if (drafted.readWith) keepReadWith(db, accepted.batch, drafted.readWith);
    return { id: accepted.batch, name: plan.batch, keyKind: plan.keyKind, environment };
  });
}

function accountOf({ environment }: PlannedFile): Environment {
  assert(environment, 'nothing is accepted without the account that pays it');
  return environment;
}

function moved(count: number): PayrunError {
  return new PayrunError(
    'plan-moved',
    `Meanwhile ${count} of these payments were planned or sent in another batch. Nothing was sent; run the command again to see them.`,
  );
}
