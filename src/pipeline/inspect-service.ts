import pLimit from 'p-limit';
import type { Environment } from '../domain/environment.ts';
import type { Minor } from '../domain/money.ts';
import { matchNames, type NameVerdict } from '../domain/names/match-names.ts';
import type { Policy } from '../domain/policy.ts';
import { readableText } from '../domain/text/readable-text.ts';
import { exitCode, PayrunError } from '../errors.ts';
import type { DraftPayee, DraftPayees } from '../journal/draft-payees.ts';
import type { Total } from '../journal/draft-questions.ts';
import type { Service } from '../service/client.ts';
import type { ExternalAccount } from '../service/contract/external-accounts.ts';
import type { UserProfile } from '../service/contract/user.ts';
import { accountKey, payeeAccountKey } from './account-key.ts';
import { checkFunds, type WalletFunds } from './funds.ts';
import { type KeptNames, keptName } from './kept-name.ts';
import { type ResolvedName, resolveName } from './resolve-name.ts';
import type { OnEvent } from './run-events.ts';
import { serviceTrouble } from './service-trouble.ts';

/** Reads alone: looking at a plan writes nothing at the service. */
export type ReadOnlyService = Pick<
  Service,
  | 'readUser'
  | 'listRates'
  | 'listExternalAccounts'
  | 'resolveAccount'
  | 'listTransactions'
  | 'readTransaction'
>;

export interface ServiceView {
  readonly funds: readonly WalletFunds[];
  readonly payees: { readonly known: number; readonly new: number };
  /** Undefined where names were not asked for. */
  readonly names: NameView | undefined;
}

export interface NameView {
  readonly counts: Readonly<Record<NameCount, number>>;
  /** Rows whose name is not simply the service's, the first of them. */
  readonly first: readonly NameFinding[];
  /** What a run would hold for its name, by currency: the policy and the pairs of names that were released decide. */
  readonly held: readonly HeldSum[];
}

export interface HeldSum {
  readonly currency: string;
  readonly rows: number;
  readonly amountMinor: Minor;
}

export type NameCount = NameVerdict['verdict'] | 'no-account';

export interface NameFinding {
  readonly line: number;
  readonly accountName: string;
  readonly resolvedName: string;
  readonly verdict: NameCount;
  readonly reason: string;
}

export interface InspectOptions {
  readonly reserves: ReadonlyMap<string, Minor>;
  readonly checkNames: boolean;
  readonly concurrency: number;
  readonly policy: Policy;
  readonly onEvent?: OnEvent | undefined;
  /** Where a run keeps the names that it shows; a mere plan keeps none. */
  readonly keepNames?: ((environment: Environment) => KeptNames) | undefined;
}

const findingsKept = 20;

/** Where the service is, and the public key that is used there. */
export interface ConfiguredService {
  /** Base URL and prefix. */
  readonly place: string;
  readonly publicKey: string;
}

/** The account by all that tells it apart from another one. A new API key of the same account changes none of it. */
export async function readProfile(
  service: Pick<Service, 'readUser'>,
  { place, publicKey }: ConfiguredService,
): Promise<{ profile: UserProfile; environment: Environment }> {
  const outcome = await service.readUser();
  if (outcome.kind !== 'ok') throw serviceTrouble(outcome, `The service at ${place} could not be asked`);
  const profile = outcome.value;
  const { email = '', publicKey: profileKey = '' } = profile;
  return { profile, environment: { place, email, profileKey, configuredKey: publicKey } };
}

/** Funds, known payees and, if wanted, names: all that the service can say before anything is sent. */
export async function inspectService(
  service: ReadOnlyService,
  { profile, environment }: { readonly profile: UserProfile; readonly environment: Environment },
  payees: DraftPayees,
  needs: readonly Total[],
  options: InspectOptions,
): Promise<ServiceView> {
  const funds = await checkFunds(service, profile, needs, options.reserves);
  const stored = await service.listExternalAccounts();
  if (stored.kind !== 'ok') throw serviceTrouble(stored, 'The external accounts could not be read');
  return {
    funds,
    payees: countPayees(payees, stored.value.data),
    names: options.checkNames ? await viewNames(service, payees, options, environment) : undefined,
  };
}

function countPayees(
  payees: DraftPayees,
  stored: readonly ExternalAccount[],
): { known: number; new: number } {
  const known = new Set(stored.map(accountKey));
  const counts = { known: 0, new: 0 };
  for (const payee of payees.all()) {
    if (known.has(payeeAccountKey(payee))) counts.known += 1;
    else counts.new += 1;
  }
  return counts;
}

/** Each account is asked once, each row gets a verdict of its own. */
async function viewNames(
  service: ReadOnlyService,
  payees: DraftPayees,
  { concurrency, keepNames, policy, onEvent }: InspectOptions,
  environment: Environment,
): Promise<NameView> {
  const kept = keepNames?.(environment);
  const counts: Record<NameCount, number> = {
    match: 0,
    close: 0,
    mismatch: 0,
    unchecked: 0,
    'no-account': 0,
  };
  const first: NameFinding[] = [];
  const held = new Map<string, HeldSum>();
  const limit = pLimit(concurrency);
  const of = payees.count();
  let done = 0;
  const ask = async (payee: DraftPayee) => {
    const name = await askedName(service, kept, payee);
    done += 1;
    onEvent?.({ kind: 'stage', stage: 'names', done, of });
    return name;
  };
  for (const page of payees.pages()) {
    const resolved = await Promise.all(page.map((payee) => limit(() => ask(payee))));
    // In the order of the file, whatever the order of the answers.
    for (const [index, payee] of page.entries()) {
      for (const { finding, amountMinor, isHeld } of findingsOf(payees, payee, resolved[index], policy)) {
        counts[finding.verdict] += 1;
        if (finding.verdict !== 'match' && first.length < findingsKept) first.push(finding);
        if (isHeld) addHeld(held, payee.currency, amountMinor);
      }
    }
  }
  return { counts, first, held: [...held.values()] };
}

function addHeld(held: Map<string, HeldSum>, currency: string, minor: Minor): void {
  const { rows, amountMinor } = held.get(currency) ?? { rows: 0, amountMinor: 0n };
  held.set(currency, { currency, rows: rows + 1, amountMinor: amountMinor + minor });
}

async function askedName(
  service: ReadOnlyService,
  kept: KeptNames | undefined,
  payee: DraftPayee,
): Promise<ResolvedName> {
  const resolved = await (kept ? keptName(service, kept, payee) : resolveName(service, payee));
  if (resolved) return resolved;
  throw new PayrunError(
    'service-unreachable',
    exitCode.serviceUnreachable,
    'The names could not be checked: the service does not answer. Nothing was sent. Try again, or plan without --check-names.',
  );
}

function findingsOf(
  payees: DraftPayees,
  payee: DraftPayee,
  resolved: ResolvedName | undefined,
  policy: Policy,
): { finding: NameFinding; amountMinor: Minor; isHeld: boolean }[] {
  const resolvedName = resolved?.name ?? '';
  return payees.rowsOf(payee).map(({ line, accountName, foldedName, amountMinor }) => {
    const { verdict, reason } = verdictOf(accountName, resolved, payee.number);
    return {
      finding: { line, accountName, resolvedName: readableText(resolvedName), verdict, reason },
      amountMinor,
      isHeld:
        verdict === 'no-account' ||
        (holds(policy, verdict) && !payees.isReleased(payee, foldedName, resolvedName)),
    };
  });
}

/** As the stage of names decides it. */
function holds({ onClose, onMismatch, onUnchecked }: Policy, verdict: NameVerdict['verdict']): boolean {
  return { match: 'pay', close: onClose, mismatch: onMismatch, unchecked: onUnchecked }[verdict] === 'hold';
}

function verdictOf(
  accountName: string,
  resolved: ResolvedName | undefined,
  number: string,
): { verdict: NameCount; reason: string } {
  if (resolved?.kind === 'no-account') return { verdict: 'no-account', reason: 'the account does not exist' };
  if (resolved?.kind !== 'name') {
    return { verdict: 'unchecked', reason: 'the service cannot check names on this rail' };
  }
  return matchNames(accountName, resolved.name, { number });
}
