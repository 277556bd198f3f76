import pLimit from 'p-limit';
import { matchNames } from '../domain/match-names.ts';
import type { Minor } from '../domain/money.ts';
import type { DraftPayee, DraftPayees } from '../journal/draft-payees.ts';
import type { Total } from '../journal/draft-questions.ts';
import type { Service } from '../service/client.ts';
import type { ExternalAccount } from '../service/contract/external-accounts.ts';
import type { UserProfile } from '../service/contract/user.ts';
import { checkFunds, type WalletFunds } from './funds.ts';
import { serviceTrouble } from './service-trouble.ts';

/** Reads alone: looking at a plan writes nothing at the service. */
export type ReadOnlyService = Pick<
  Service,
  'readUser' | 'listRates' | 'listExternalAccounts' | 'resolveAccount'
>;

export interface ServiceView {
  readonly environment: string;
  readonly funds: readonly WalletFunds[];
  readonly payees: { readonly known: number; readonly new: number };
  readonly names: Readonly<Record<NameCount, number>> | undefined;
}

export type NameCount = 'match' | 'close' | 'mismatch' | 'unchecked' | 'no-account';

/** The account that the profile names: a rotated key of the same account is the same environment. */
export async function readProfile(
  service: ReadOnlyService,
  place: string,
): Promise<{ profile: UserProfile; environment: string }> {
  const outcome = await service.readUser();
  if (outcome.kind !== 'ok') throw serviceTrouble(outcome, 'The profile could not be read');
  const profile = outcome.value;
  return { profile, environment: `${place} ${profile.email ?? profile.publicKey ?? ''}`.trim() };
}

export async function inspectService(
  service: ReadOnlyService,
  profile: UserProfile,
  environment: string,
  payees: DraftPayees,
  needs: readonly Total[],
  options: {
    readonly reserves: ReadonlyMap<string, Minor>;
    readonly checkNames: boolean;
    readonly concurrency: number;
  },
): Promise<ServiceView> {
  const funds = await checkFunds(service, profile, needs, options.reserves);
  if (!Array.isArray(funds))
    throw serviceTrouble(
      funds as Exclude<typeof funds, WalletFunds[]>,
      'The exchange rates could not be read',
    );
  const stored = await service.listExternalAccounts();
  if (stored.kind !== 'ok') throw serviceTrouble(stored, 'The external accounts could not be read');
  return {
    environment,
    funds,
    payees: countPayees(payees, stored.value.data),
    names: options.checkNames ? await countNames(service, payees, options.concurrency) : undefined,
  };
}

function countPayees(
  payees: DraftPayees,
  stored: readonly ExternalAccount[],
): { known: number; new: number } {
  const known = new Set(stored.map(storedKey));
  const counts = { known: 0, new: 0 };
  for (const payee of payees.all()) {
    if (known.has(payeeAccountKey(payee))) counts.known += 1;
    else counts.new += 1;
  }
  return counts;
}

function storedKey(account: ExternalAccount): string {
  const { country, currency, destination, payoutMethod } = account;
  const code = destination === 'MoMo' ? '' : (payoutMethod?.code ?? '');
  return JSON.stringify([
    country,
    currency,
    destination,
    code,
    (payoutMethod?.accountNumber ?? '').replace(/^\+/, ''),
  ]);
}

function payeeAccountKey({ country, currency, destination, bankCode, number }: DraftPayee): string {
  return JSON.stringify([country, currency, destination, bankCode, number.replace(/^\+/, '')]);
}

/** Each account is asked once, each row gets a verdict of its own. */
async function countNames(
  service: ReadOnlyService,
  payees: DraftPayees,
  concurrency: number,
): Promise<Record<NameCount, number>> {
  const counts: Record<NameCount, number> = {
    match: 0,
    close: 0,
    mismatch: 0,
    unchecked: 0,
    'no-account': 0,
  };
  const limit = pLimit(concurrency);
  for (const page of payees.pages()) {
    await Promise.all(
      page.map((payee) =>
        limit(async () => {
          const resolved = await resolveName(service, payee);
          for (const name of payees.namesOf(payee)) {
            const verdict = resolved === 'no-account' ? resolved : verdictOf(name, resolved, payee.number);
            counts[verdict] += 1;
          }
        }),
      ),
    );
  }
  return counts;
}

function verdictOf(name: string, resolved: string | undefined, number: string): NameCount {
  return resolved === undefined ? 'unchecked' : matchNames(name, resolved, { number }).verdict;
}

async function resolveName(
  service: ReadOnlyService,
  payee: DraftPayee,
): Promise<string | 'no-account' | undefined> {
  const { currency, number } = payee;
  const outcome = await service.resolveAccount({
    body:
      payee.destination === 'MoMo'
        ? {
            method: 'momo',
            accountNumber: number,
            currency,
            ...(payee.operator === '' ? {} : { momoOperator: payee.operator }),
          }
        : { method: 'bank', accountNumber: number, currency, bankCode: payee.bankCode },
  });
  if (outcome.kind === 'ok') return outcome.value.data.accountName ?? '';
  if (outcome.kind === 'refused') return outcome.errorCode === 'E-CH-PY.S-37' ? 'no-account' : undefined;
  throw serviceTrouble(outcome, 'A name could not be checked');
}
