import type { Readable } from 'node:stream';
import type { Environment } from '../domain/environment/environment.ts';
import { accountUnproven, type RebindCommand } from '../domain/environment/other-environment.ts';
import {
  type Policy,
  policyDocument,
  policyFromDocument,
  type Tightening,
  tightenPolicy,
} from '../domain/policy.ts';
import { type ExitCode, exitCode, PayrunError } from '../errors.ts';
import { readBatch } from '../journal/batch-record.ts';
import { laterAttempts } from '../journal/draft/draft-attempts.ts';
import { askDraftPayees, type DraftPayees } from '../journal/draft/draft-payees.ts';
import { sampleDraft } from '../journal/draft/draft-sample.ts';
import type { KnownBatch } from '../journal/draft/plan-queries.ts';
import { askNames } from '../journal/known-names.ts';
import type { JournalDatabase } from '../journal/open-journal.ts';
import { askPayouts } from '../journal/payouts/payout-queries.ts';
import { unsentElsewhere } from '../journal/payouts/wallet-totals.ts';
import { askSavedAccount } from '../journal/saved-account.ts';
import type { UserProfile } from '../service/contract/user.ts';
import { type Plan, planBatch } from './3-plan-batch.ts';
import { type DraftedFile, type DraftOptions, draftFile } from './draft-file.ts';
import { knowAccount } from './environment/ask-account.ts';
import { attemptsGuard } from './guards/attempts-guard.ts';
import { fundsGuards } from './guards/funds.ts';
import type { Guard } from './guards/guards.ts';
import { forgottenBatchGuard, forgottenSample } from './guards/lost-journal-guard.ts';
import { type KeptNames, namesHoldMs } from './payee/cached-name.ts';
import {
  type ConfiguredService,
  type InspectOptions,
  inspectService,
  type ReadOnlyService,
  readProfile,
  type ServiceView,
} from './plan/inspect-service.ts';
import type { RetryCommand } from './plan/locked-row-problem.ts';
import { readDecimals } from './plan/service-decimals.ts';
import { newRunMemory } from './run/run-context.ts';

export interface PlanFileOptions extends DraftOptions, InspectOptions {
  readonly allowRepeats: number;
  readonly sameBatch: boolean;
  readonly noticePercent: number;
  /** As much of the policy as a person really said: a mere default makes that of a batch no stricter. */
  readonly stated?: Tightening | undefined;
  readonly policy: Policy;
  /** How long a name that was asked holds. */
  readonly namesMaxAgeMs?: number | undefined;
  /** Where a run keeps the names that it asks for; a mere plan keeps none. */
  readonly keepNames?: ((environment: Environment) => KeptNames) | undefined;
  /** For a row whose payout was cancelled. */
  readonly retryCommand?: RetryCommand | undefined;
  /** For a batch that was begun with another account. */
  readonly rebindCommand?: RebindCommand | undefined;
  /** Between reading the file and asking the journal: what knows its batch can be locked. */
  readonly beforeMerge?: ((drafted: DraftedFile) => Promise<void>) | undefined;
}

/** The service that a plan may look at. */
export interface AskedService extends ConfiguredService {
  readonly service: ReadOnlyService;
  /** Done before names are asked; the embedded service learns here who the people of the file are. */
  readonly prepare?: ((payees: DraftPayees) => Promise<void>) | undefined;
}

/** Everything that can be said about a file before money moves. */
export interface PlannedFile {
  readonly drafted: DraftedFile;
  readonly plan: Plan;
  /** As asked for; for a part of a batch, never looser than the batch's own. */
  readonly policy: Policy;
  /** For a row whose payout was cancelled. */
  readonly retryCommand?: RetryCommand | undefined;
  readonly environment: Environment | undefined;
  /** Of a batch that an earlier version began: whether the service has just shown that it is this account's. */
  readonly isAccountShown: boolean;
  /** Undefined where there is no service, or it could not be asked. */
  readonly view: ServiceView | undefined;
  /** Why the service could not be asked about a file that is refused anyway. */
  readonly trouble: string | undefined;
  /** What `run` would end with before it sends anything; 0 where it would send. */
  readonly exit: ExitCode;
}

/** Stages 1 to 3, and what the service can tell. Writes nothing at the service and accepts nothing into the journal. */
export async function planFile(
  db: JournalDatabase,
  source: string | Readable,
  asked: AskedService | undefined,
  options: PlanFileOptions,
): Promise<PlannedFile> {
  const drafted = await draftFile(db, source, options);
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

  await options.beforeMerge?.(drafted);
  const account = asked && (await attempt(() => readProfile(asked.service, asked)));
  const decimals = account && (await attempt(() => readDecimals(asked.service)));
  const plan = planBatch(
    db,
    { ...drafted, batch: drafted.batch.name, complete: drafted.reading.facts.complete },
    { ...options, environment: account?.environment, decimals, policies: policyDocument(options.policy) },
  );
  const policy = drafted.isPart ? policyOfPart(db, plan.batch, options) : options.policy;
  const view = account && (await attempt(() => askAbout(db, asked, account, plan, { ...options, policy })));
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
  batch: KnownBatch | undefined,
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
  const rows = sampleDraft(db, forgottenSample);
  return forgottenBatchGuard(service, batch, rows, { ...options, environment: undefined, isPart });
}

function askAttempts(
  db: JournalDatabase,
  service: ReadOnlyService,
  { batch, keyKind, knownBatch }: Plan,
  { concurrency }: PlanFileOptions,
): Promise<Guard | undefined> {
  const context = { service, payouts: askPayouts(db, knownBatch?.id ?? -1), memory: newRunMemory() };
  return attemptsGuard(context, { name: batch, keyKind }, laterAttempts(db), concurrency);
}

/** What is run with a part of it is run with the whole batch: all that waits goes out with it. */
function policyOfPart(db: JournalDatabase, batch: string, { policy, stated }: PlanFileOptions): Policy {
  const known = readBatch(db, batch);
  return known ? tightenPolicy(policyFromDocument(known.policy), stated ?? policy) : policy;
}

async function askAbout(
  db: JournalDatabase,
  { service, prepare }: AskedService,
  account: { profile: UserProfile; environment: Environment },
  plan: Plan,
  options: PlanFileOptions,
): Promise<ServiceView> {
  const payees = askDraftPayees(db);
  await prepare?.(payees);
  // A wallet is asked for what this run would send, and for what other batches are about to take from it.
  const own = [...plan.byWallet, ...plan.besides];
  const asked = new Set(own.map((need) => need.name));
  const elsewhere = unsentElsewhere(db, account.environment, plan.knownBatch?.id ?? -1).filter((need) =>
    asked.has(need.name),
  );
  const names = options.keepNames?.(account.environment) ?? readNames(db, account.environment, options);
  return inspectService(service, account.profile, payees, [...own, ...elsewhere], names, options);
}

/** A mere plan decides by what the journal knows, as a run would, and keeps nothing. */
function readNames(
  db: JournalDatabase,
  environment: Environment,
  { nowMs, namesMaxAgeMs = namesHoldMs }: PlanFileOptions,
): KeptNames {
  const book = { ...askNames(db, environment), accountOf: askSavedAccount(db, environment) };
  return { book, clock: { nowMs: () => nowMs }, maxAgeMs: namesMaxAgeMs };
}

/** In the order in which a run looks: the file first, then the guards. */
export function exitOfPlan(plan: Plan, { skipInvalid }: Policy): ExitCode {
  const payable = plan.valid > 0 && (plan.blocking === 0 || skipInvalid);
  if (plan.spoilt || !payable) return exitCode.fileInvalid;
  return plan.guards.length > 0 ? exitCode.guardRefused : exitCode.ok;
}
