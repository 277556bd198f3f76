import type { Environment } from '../../domain/environment/environment.ts';
import { publicKeyMark } from '../../domain/environment/public-key-mark.ts';
import type { Minor } from '../../domain/money/money.ts';
import { isRegister } from '../../domain/names/name-evidence.ts';
import { limitExceeded } from '../../domain/payout/limit-exceeded.ts';
import type { Policy } from '../../domain/policy.ts';
import { PayrunError } from '../../errors.ts';
import type { DraftPayee, DraftPayees, NamedRow } from '../../journal/draft/draft-payees.ts';
import type { ResolvedEntry } from '../../journal/known-names.ts';
import type { Service } from '../../service/client.ts';
import type { UserProfile } from '../../service/contract/user.ts';
import { checkFunds, type Need, type WalletFunds } from '../guards/funds.ts';
import { accountAgrees, agreeingAccount, operatorNamed } from '../payee/account-agrees.ts';
import { payeeAccountKey } from '../payee/account-key.ts';
import { cachedName, type PlannedNames, railOf } from '../payee/cached-name.ts';
import type { ListedAccounts, StoredNames } from '../payee/listed-accounts.ts';
import { eachOf } from '../run/each-payout.ts';
import type { OnEvent } from '../run/run-events.ts';
import { serviceError } from '../run/service-error.ts';
import {
  createHeldSums,
  createNameVerdicts,
  type HeldSum,
  type NameVerdicts,
  type NameView,
} from './name-verdicts.ts';

/** Reads alone: looking at a plan writes nothing at the service. */
export type ReadOnlyService = Pick<
  Service,
  | 'readUser'
  | 'listRates'
  | 'listCountries'
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
  /** What a run would hold because it is above a limit, and not for its name, by currency. */
  readonly aboveLimit: readonly HeldSum[];
}

export interface InspectOptions {
  readonly reserves: ReadonlyMap<string, Minor>;
  readonly checkNames: boolean;
  readonly concurrency: number;
  readonly policy: Policy;
  readonly onEvent?: OnEvent | undefined;
  /** A name that the service does not answer for now may be asked later: a run asks again before it sends. */
  readonly namesMayWait?: boolean | undefined;
  /** True once no more may be asked. */
  readonly stopping?: (() => boolean) | undefined;
}

/** So many names in a row without an answer: the service is down. */
const mostUnanswered = 12;

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
  if (outcome.kind !== 'ok') throw serviceError(outcome, `The service at ${place} could not be asked`);
  const profile = outcome.value;
  const environment = {
    place,
    email: profile.email ?? '',
    profileKey: publicKeyMark(profile.publicKey ?? ''),
    configuredKey: publicKeyMark(publicKey),
  };
  return { profile, environment };
}

/** Funds, known payees and, if wanted, names: all that the service can say before anything is sent. */
export async function inspectService(
  { service, accounts }: { readonly service: ReadOnlyService; accounts(): Promise<ListedAccounts> },
  profile: UserProfile,
  payees: DraftPayees,
  needs: readonly Need[],
  names: PlannedNames,
  options: InspectOptions,
): Promise<ServiceView> {
  const funds = await checkFunds(service, profile, needs, options.reserves);
  const stored = await accounts();
  const counts = countPayees(payees, stored);
  const above = createHeldSums();
  const takeAbove = (payee: DraftPayee, row: NamedRow) => {
    const { currency } = payee;
    const limit = limitExceeded(options.policy, { ...row, currency }, row.acceptedLimit ?? undefined);
    if (limit !== undefined) above.add(currency, row.amountMinor);
  };
  if (!options.checkNames) {
    // Without a limit there is nothing to look for, however many rows there are.
    if (options.policy.limitPayout.size > 0)
      for (const payee of payees.all()) for (const row of payees.rowsOf(payee)) takeAbove(payee, row);
    return { funds, payees: counts, names: undefined, aboveLimit: above.sums() };
  }
  const asked: AskedNames = { ...names, askedAs: askedAs(stored, names.book) };
  const verdicts = createNameVerdicts(payees, names.book, options.policy, takeAbove);
  await askAllNames(service, payees, asked, stored.storedNames, verdicts, options);
  return { funds, payees: counts, names: verdicts.view(), aboveLimit: above.sums() };
}

interface AskedNames extends PlannedNames {
  /** A payee with the operator at which its name is asked. */
  readonly askedAs: (payee: DraftPayee) => DraftPayee;
}

/** Where the row names no operator, the name is asked where the account that a run would pay is. */
function askedAs(stored: ListedAccounts, book: PlannedNames['book']): (payee: DraftPayee) => DraftPayee {
  return (payee) => {
    if (payee.destination !== 'MoMo' || payee.operator !== '') return payee;
    const listed = stored.byKey(payeeAccountKey(payee));
    if (listed.length === 0) return payee;
    const told = book.accountOf(payee);
    const known = listed.find(({ externalAccountId }) => externalAccountId === told?.id);
    const account = known ?? agreeingAccount(listed, { ...payee, branchCode: '' });
    const shown = operatorNamed(account?.payoutMethod?.code ?? '', payee.country);
    const operator = shown || (known ? operatorNamed(told?.operator ?? '', payee.country) : '');
    return { ...payee, operator };
  };
}

function countPayees(payees: DraftPayees, stored: ListedAccounts): { known: number; new: number } {
  const counts = { known: 0, new: 0 };
  for (const payee of payees.all()) {
    const listed = stored.byKey(payeeAccountKey(payee));
    if (listed.some((account) => accountAgrees(account, { ...payee, branchCode: '' }))) counts.known += 1;
    else counts.new += 1;
  }
  return counts;
}

/**
 * Asks each account once. What the service says of its own accord is judged while others are asked; whether what it repeats may be
 * trusted is known only when all have been asked, and until then it is kept in the draft.
 */
async function askAllNames(
  service: ReadOnlyService,
  payees: DraftPayees,
  { askedAs, ...names }: AskedNames,
  stored: StoredNames,
  verdicts: NameVerdicts,
  { concurrency, onEvent, namesMayWait = false, stopping }: InspectOptions,
): Promise<void> {
  const beyond = new Map<string, Set<string>>();
  const of = payees.count();
  const begunMs = names.clock.nowMs();
  let done = 0;
  let unanswered = 0;
  let kept = 0;
  const ask = async (payee: DraftPayee) => {
    const asked = askedAs(payee);
    const isEnough = (known: ResolvedEntry) => known.atMs >= begunMs || !verdicts.speaksAgainst(payee, known);
    const evidence = await cachedName(service, names, stored, asked, isEnough);
    done += 1;
    onEvent?.({ kind: 'stage', stage: 'names', done, of });
    unanswered = evidence ? 0 : unanswered + 1;
    if (unanswered > (namesMayWait ? mostUnanswered : 0)) throw namesNotAnswered();
    if (!evidence) return verdicts.withoutAnswer(payee);
    if (evidence.beyond !== '') {
      const rail = railOf(asked);
      beyond.set(rail, (beyond.get(rail) ?? new Set()).add(evidence.beyond));
    }
    if (evidence.repeats === 'nothing') return verdicts.judge(payee, evidence, () => false);
    payees.keepName(payee, evidence);
    kept += 1;
  };
  await eachOf({ settings: { concurrency }, writes: names.writes, stopping }, payees.all(), ask);
  if (stopping?.()) throw namesNotAnswered();
  if (kept === 0) return;
  for (const payee of payees.all()) {
    const evidence = payees.nameOf(payee);
    if (!evidence) continue;
    const rail = railOf(askedAs(payee));
    verdicts.judge(payee, evidence, () =>
      isRegister(new Set([...(beyond.get(rail) ?? []), ...names.book.knownBeyond(rail)])),
    );
  }
}

function namesNotAnswered(): PayrunError {
  return new PayrunError(
    'service-unreachable',
    'The names could not be checked: the service does not answer. Nothing was sent. Try again later.',
  );
}
