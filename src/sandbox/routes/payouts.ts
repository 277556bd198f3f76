import { type Minor, minorFromReply } from '../../domain/money/money.ts';
import { findCurrency, hasSeveralWallets } from '../../domain/reference-data/countries.ts';
import { type Beneficiary, beneficiaryOf, railTrouble } from '../faults/rail-rules.ts';
import { type Fate, fateOf } from '../faults/test-numbers.ts';
import { answer, failure, invalid, type RouteResult } from '../http/reply.ts';
import { type Call, type Route, type World, walletName } from '../http/route.ts';
import { newId } from '../store/new-id.ts';
import { debitFor } from '../store/rates.ts';

type PayoutCall = Call<'createPayout'>;

/** Checks everything first and writes last: a payout that is refused leaves no trace and keeps its reference free. */
export const createPayout: Route<'createPayout'> = (world, call) => {
  const { body, atMs } = call;
  const beneficiary = findBeneficiary(world, call);
  if ('ok' in beneficiary) return beneficiary;
  const trouble = railTrouble(beneficiary);
  if (trouble) return trouble;
  const amountMinor = minorFromReply(body.amount, findCurrency(body.currency)?.decimals ?? 0);
  if (amountMinor === undefined) return invalid(`amount has more decimals than ${body.currency} takes`);
  const debit = chooseWallet(call, amountMinor);
  if ('ok' in debit) return debit;

  if (world.faults.plan().dedupe && world.transactions.referenceUsed(body.externalReference)) {
    return failure('E-API-D.S-28');
  }
  const fate = fateOf(beneficiary.number);
  if (fate === 'no-account') return failure('E-CH-PY.S-37');
  if (fate === 'refused') return failure('E-API-P.S-42');
  if (world.ledger.balance(debit.wallet) < debit.amountMinor) return failure('E-API-P.S-41');
  const onTheWay = orderedByNumber(world, fate, body.externalReference);
  if (onTheWay === 'late-landing') {
    // The same request, processed later; its sender's connection drops now.
    const request = { name: 'createPayout', params: call.params, query: call.query, body, test: call.test };
    world.dueEvents.add(atMs + world.faults.plan().lateByMs, 'landing', JSON.stringify(request));
    return { ok: true, body: {}, onTheWay: 'lost-reply' };
  }

  const id = newId();
  world.transactions.add({
    id,
    type: 'withdrew',
    method: body.destination === 'MoMo' ? 'momo' : 'bank',
    externalReference: body.externalReference,
    country: body.country,
    destination: body.destination,
    currency: body.currency,
    amountMinor,
    senderCurrency: debit.currency,
    senderMinor: debit.amountMinor,
    receiverCurrency: body.currency,
    receiverMinor: amountMinor,
    wallet: debit.wallet,
    bankCode: beneficiary.code,
    accountName: beneficiary.accountName,
    accountNumber: beneficiary.number,
    createdMs: atMs,
    fate,
    test: call.test,
  });
  schedule(world, id, fate, atMs);
  const accepted = answer({
    message: 'Your withdrawal request has been accepted for processing.',
    transactionId: id,
  });
  return onTheWay === undefined ? accepted : { ...accepted, onTheWay };
};

const wireOfFate = { slow: 'slow', 'reply-lost': 'lost-reply', late: 'late-landing' } as const;

/** Once for each reference: sending again gets a proper answer. */
function orderedByNumber(
  world: World,
  fate: Fate,
  reference: string,
): 'slow' | 'lost-reply' | 'late-landing' | undefined {
  const wire = fate in wireOfFate ? wireOfFate[fate as keyof typeof wireOfFate] : undefined;
  return wire !== undefined && world.faults.firstTime(`magic:${reference}`) ? wire : undefined;
}

function findBeneficiary(world: World, { body }: PayoutCall): Beneficiary | RouteResult {
  if (body.payoutMethod) return beneficiaryOf(body, body.payoutMethod);
  const account = world.externalAccounts.find(body.externalAccountId ?? '');
  if (!account) return failure('E-BEN.S-90');
  for (const field of ['country', 'currency', 'destination'] as const) {
    if (account[field] !== body[field])
      return invalid(`the external account's ${field} is ${account[field]}`);
  }
  return account;
}

/** Which wallet pays: the payout's own currency, or debitCurrency in the scope of debitCountry. */
function chooseWallet(
  { body, atMs }: PayoutCall,
  amountMinor: Minor,
): { wallet: string; currency: string; amountMinor: Minor } | RouteResult {
  const currency = body.debitCurrency ?? body.currency;
  const known = findCurrency(currency);
  if (!known) return invalid(`there is no ${currency} wallet`);
  if (hasSeveralWallets(currency) && body.debitCountry === undefined && currency !== body.currency) {
    return invalid(`debitCountry is required: ${currency} wallets exist in several countries`);
  }
  const usual = hasSeveralWallets(currency) ? body.country : known.walletCountries[0];
  const scope = body.debitCountry ?? usual ?? '';
  if (!known.walletCountries.includes(scope)) return invalid(`there is no ${currency} wallet in ${scope}`);
  const wallet = walletName(currency, scope);
  return { wallet, currency, amountMinor: debitFor(amountMinor, body.currency, currency, atMs) };
}

function schedule(world: World, id: string, fate: Fate, atMs: number): void {
  const settlesMs = atMs + world.timings.settleAfterMs;
  if (fate === 'stuck') return;
  world.dueEvents.add(settlesMs, fate === 'failed' ? 'fail' : 'succeed', id);
  if (fate === 'returned') world.dueEvents.add(settlesMs + world.timings.returnAfterMs, 'give-back', id);
}
