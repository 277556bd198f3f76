import type { Readable } from 'node:stream';
import type { Environment } from '../domain/environment/environment.ts';
import { accountUnproven } from '../domain/environment/other-environment.ts';
import { type Policy, policyDocument, policyFromDocument, tightenPolicy } from '../domain/policy.ts';
import { PayrunError } from '../errors.ts';
import { readAcceptedDrafts } from '../journal/accepted-drafts.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import { laterAttempts } from '../journal/draft/draft-attempts.ts';
import { askDraftPayees } from '../journal/draft/draft-payees.ts';
import { sampleDraft } from '../journal/draft/draft-sample.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { askNames } from '../journal/known-names.ts';
import { payoutQueries } from '../journal/payouts/payout-queries.ts';
import { unsentElsewhere } from '../journal/payouts/wallet-totals.ts';
import { askSavedAccount } from '../journal/saved-account.ts';
import type { UserProfile } from '../service/contract/user.ts';
import { planBatch } from './3-plan-batch.ts';
import type { DraftedFile } from './draft/drafted-file.ts';
import { draftFile } from './draft-file.ts';
import { knowAccount } from './environment/ask-account.ts';
import { attemptsGuard } from './guards/attempts-guard.ts';
import { fundsGuards } from './guards/funds.ts';
import type { Guard } from './guards/guards.ts';
import { lostJournalGuard, lostJournalSample } from './guards/lost-journal-guard.ts';
import { namesHoldMs, type PlannedNames } from './payee/cached-name.ts';
import { askFirst, type FirstQuestions } from './plan/first-questions.ts';
import { inspectService, type ReadOnlyService, type ServiceView } from './plan/inspect-service.ts';
import type { Plan } from './plan/plan.ts';
import type { AskedService, PlanFileOptions } from './plan/plan-options.ts';
import { exitOfPlan, type PlannedFile } from './plan/planned-file.ts';
import { newRunMemory } from './run/run-context.ts';

/** Stages 1 to 3, and what the service can tell. Writes nothing at the service and accepts nothing into the journal. */
export async function planFile(
  db: JournalDatabase,
  source: string | Readable,
  asked: AskedService | undefined,
  options: PlanFileOptions,
): Promise<PlannedFile> {
  const drafted = await draftFile(db, source, options);
  try {
    return await planDraft(db, drafted, asked, options);
  } finally {
    drafted.draft.release();
  }
}

/** The same of a file that is drafted already. */
export async function planDraft(
  db: JournalDatabase,
  drafted: DraftedFile,
  asked: AskedService | undefined,
  options: PlanFileOptions,
): Promise<PlannedFile> {
  const first = asked && askFirst(asked);
  try {
    return await planWith(db, drafted, asked && first && { ...asked, first }, options);
  } finally {
    await first?.end();
  }
}

type Asked = AskedService & { readonly first: FirstQuestions };

async function planWith(
  db: JournalDatabase,
  drafted: DraftedFile,
  asked: Asked | undefined,
  options: PlanFileOptions,
): Promise<PlannedFile> {
  const isRefused = drafted.questions.counts().blocking > 0 && !options.policy.skipInvalid;
  let trouble: string | undefined;
  // A file that is refused is told so whether or not the service can be asked.
  const attempt = async <Value>(ask: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await ask();
    } catch (error) {
      if (!isRefused || !(error instanceof PayrunError)) throw error;
      trouble = error.message;
      return undefined;
    }
  };

  const account = asked && (await attempt(asked.first.account));
  const decimals = account && (await attempt(asked.first.decimals));
  const plan = planBatch(
    db,
    {
      ...drafted,
      batch: drafted.batch.name,
      complete: drafted.reading.facts.complete,
      header: drafted.reading.header,
    },
    { ...options, environment: account?.environment, decimals, policies: policyDocument(options.policy) },
  );
  const { isPart } = drafted;
  const policy = isPart ? policyOfPart(plan, options) : options.policy;
  const view =
    account && (await attempt(() => askAbout(db, asked, account, { plan, isPart }, { ...options, policy })));
  const forgotten =
    account && view && !plan.knownBatch
      ? await attempt(() => askForgotten(db, asked.service, drafted, plan, options))
      : undefined;
  const known =
    account && view && plan.knownBatch && !plan.guards.some(({ code }) => code === 'environment')
      ? await attempt(() => askAccount(db, asked.service, plan.knownBatch, options))
      : undefined;
  const unproven = account && view && (await attempt(() => askAttempts(db, asked.service, plan, options)));
  const guards = [
    ...(known?.guard ? [known.guard] : []),
    ...plan.guards,
    ...(forgotten ? [forgotten] : []),
    ...(unproven ? [unproven] : []),
    ...fundsGuards(view?.funds ?? []),
  ];
  const whole = { ...plan, guards };
  return {
    drafted,
    plan: whole,
    policy,
    repeats: {
      windowMs: options.repeatWindowMs,
      allowed: options.allowRepeats,
      sameBatch: options.sameBatch,
    },
    accepted: readAcceptedDrafts(db, plan.knownBatch?.id ?? -1),
    environment: account?.environment,
    isAccountShown: known?.isShown ?? false,
    view,
    trouble,
    exit: exitOfPlan(whole, options.policy),
  };
}

/** Of a batch that an earlier version began, the journal alone cannot say whether this is its account. */
async function askAccount(
  db: JournalDatabase,
  service: ReadOnlyService,
  batch: BatchRecord | undefined,
  { concurrency }: PlanFileOptions,
): Promise<{ readonly isShown: boolean; readonly guard?: Guard } | undefined> {
  if (!batch) return undefined;
  const known = await knowAccount({ db, service, concurrency }, batch);
  if (known.kind !== 'unproven') return { isShown: known.kind === 'may-be-taken' && known.shown };
  const guard: Guard = { code: 'environment', message: accountUnproven(batch, known.missing) };
  return { isShown: false, guard };
}

function askForgotten(
  db: JournalDatabase,
  service: ReadOnlyService,
  { isPart }: DraftedFile,
  { batch }: Plan,
  options: PlanFileOptions,
): Promise<Guard | undefined> {
  const rows = sampleDraft(db, lostJournalSample);
  return lostJournalGuard(service, batch, rows, { ...options, environment: undefined, isPart });
}

function askAttempts(
  db: JournalDatabase,
  service: ReadOnlyService,
  { batch, keyKind, knownBatch }: Plan,
  { concurrency }: PlanFileOptions,
): Promise<Guard | undefined> {
  const context = { service, payouts: payoutQueries(db, knownBatch?.id ?? -1), memory: newRunMemory() };
  return attemptsGuard(context, { name: batch, keyKind }, laterAttempts(db), concurrency);
}

/** What is run with a part of it is run with the whole batch: all that waits goes out with it. */
function policyOfPart({ knownBatch }: Plan, { policy, stated }: PlanFileOptions): Policy {
  return knownBatch ? tightenPolicy(policyFromDocument(knownBatch.policy), stated ?? policy) : policy;
}

async function askAbout(
  db: JournalDatabase,
  { service, prepare, first }: Asked,
  account: { profile: UserProfile; environment: Environment },
  { plan, isPart }: { readonly plan: Plan; readonly isPart: boolean },
  options: PlanFileOptions,
): Promise<ServiceView> {
  const payees = askDraftPayees(db, plan.knownBatch?.id ?? -1, isPart);
  await prepare?.(payees);
  // A wallet is asked for what this run would send, and for what other batches are about to take from it.
  const own = [...plan.byWallet, ...plan.besides];
  const asked = new Set(own.map((need) => need.name));
  const elsewhere = unsentElsewhere(db, account.environment, plan.knownBatch?.id ?? -1)
    .filter((need) => asked.has(need.name))
    .map((need) => ({ ...need, isElsewhere: true }));
  const names = options.keepNames?.(account.environment) ?? readNames(db, account.environment, options);
  return inspectService(
    { service, accounts: first.accounts },
    account.profile,
    payees,
    [...own, ...elsewhere],
    names,
    options,
  );
}

/** A mere plan decides by what the journal knows, as a run would, and keeps nothing. */
function readNames(
  db: JournalDatabase,
  environment: Environment,
  { nowMs, namesMaxAgeMs = namesHoldMs }: PlanFileOptions,
): PlannedNames {
  const book = { ...askNames(db, environment), accountOf: askSavedAccount(db, environment) };
  return { book, clock: { nowMs: () => nowMs }, maxAgeMs: namesMaxAgeMs };
}
