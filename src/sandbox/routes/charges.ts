import { randomInt } from 'node:crypto';
import { decimalFromMinor, type Minor, minorFromReply } from '../../domain/money/money.ts';
import { countries, findCurrency } from '../../domain/reference-data/countries.ts';
import { parseJson } from '../../incoming-http.ts';
import {
  billingAddress,
  virtualAccountCurrencies,
  virtualAccountLifetimeMs,
} from '../../service/contract/charges.ts';
import { canonicalNumber } from '../faults/rail-rules.ts';
import { cardFate, fateOf, wrongAuthorisation } from '../faults/test-numbers.ts';
import { answer, failure, invalid, type RouteResult } from '../http/reply.ts';
import { type Call, type Route, type World, walletName } from '../http/route.ts';
import { newId } from '../store/new-id.ts';
import { creditFor, decimalsOf } from '../store/rates.ts';
import type { NewTransaction } from '../store/transactions.ts';

export const chargeByCard: Route<'chargeByCard'> = (world, { body, test, atMs }) => {
  const { cardDetails, currency } = body;
  if (!passesCheckDigit(cardDetails.number)) return invalid('the card number is not valid');
  if (hasExpired(cardDetails.expMonth, cardDetails.expYear, atMs)) return invalid('the card has expired');
  if (currency === 'USD' && !body.device3DSInfo) return invalid('device3DSInfo is required for USD');
  const charge = prepareCharge(world, body, currency, atMs);
  if ('ok' in charge) return charge;

  const { step, outcome } = cardFate(cardDetails.number);
  const needsStep = step === 'address' && body.address ? undefined : step;
  const redirectUrl = body.successRedirectUrl ?? null;
  world.transactions.add({
    ...charge,
    method: 'card',
    destination: 'Card',
    accountName: [body.firstName, body.lastName].filter(Boolean).join(' '),
    accountNumber: `**** ${cardDetails.number.slice(-4)}`,
    stepRequired: needsStep ?? null,
    redirectUrl,
    fate: outcome,
    test,
  });
  if (needsStep === undefined) scheduleOutcome(world, charge.id, outcome, atMs);
  return answer({
    message: needsStep === undefined ? 'Payment is processing.' : `Authorisation required: ${needsStep}.`,
    data: {
      transactionId: charge.id,
      ...(needsStep === undefined ? {} : { stepRequired: needsStep }),
      ...(redirectUrl === null ? {} : { redirectUrl }),
    },
  });
};

/** Operators that want a code the customer asked for beforehand. */
const operatorsWithCode: readonly string[] = ['orange'];

export const chargeByMomo: Route<'chargeByMomo'> = (world, { body, test, atMs }) => {
  const account = body.externalAccountId ? world.externalAccounts.find(body.externalAccountId) : undefined;
  if (body.externalAccountId && !account) return failure('E-BEN.S-90');
  const number = body.phoneNumber ? canonicalNumber('MoMo', body.phoneNumber) : (account?.number ?? '');
  if (account && account.destination !== 'MoMo') return invalid('the external account is not mobile money');
  if (account && account.currency !== body.currency)
    return invalid(`the external account's currency is ${account.currency}`);
  const trouble = momoTrouble(body);
  if (trouble) return trouble;
  const charge = prepareCharge(world, body, body.walletCurrency ?? body.currency, atMs);
  if ('ok' in charge) return charge;

  const fate = fateOf(number);
  if (fate === 'no-account') return failure('E-CH-PY.S-37');
  world.transactions.add({
    ...charge,
    method: 'momo',
    destination: 'MoMo',
    bankCode: body.momoOperatorId ?? '',
    accountName: account?.accountName ?? '',
    accountNumber: number,
    redirectUrl: body.successRedirectUrl ?? null,
    fate,
    test,
  });
  if (fate !== 'stuck') scheduleOutcome(world, charge.id, fate === 'failed' ? 'failed' : 'successful', atMs);
  return answer({ message: 'Payment request sent to the customer.', transactionId: charge.id });
};

export const chargeByBankTransfer: Route<'chargeByBankTransfer'> = (world, { body, test, atMs }) => {
  if (!virtualAccountCurrencies.includes(body.currency)) {
    return invalid(`bank transfer takes ${virtualAccountCurrencies.join(' and ')} only`);
  }
  const charge = prepareCharge(world, body, body.currency, atMs);
  if ('ok' in charge) return charge;
  const number = world.transactions.openVirtualAccount(
    { ...charge, method: 'bank-transfer', destination: 'Bank Account', fate: 'waits', test },
    () => String(randomInt(1_000_000_000, 10_000_000_000)),
    atMs + virtualAccountLifetimeMs,
  );
  world.dueEvents.add(atMs + virtualAccountLifetimeMs, 'fail', charge.id);
  return answer({
    message: 'Transfer the amount to the account below.',
    data: {
      transactionId: charge.id,
      virtualAccount: {
        permanent: false,
        accountNumber: number,
        bankName: body.currency === 'KES' ? 'Equity Bank' : 'Wema Bank',
        createdAt: new Date(atMs).toISOString(),
        expiresAt: new Date(atMs + virtualAccountLifetimeMs).toISOString(),
        note: `Pay exactly ${body.currency} ${decimalFromMinor(charge.amountMinor, decimalsOf(body.currency))} before the account expires.`,
        amount: decimalFromMinor(charge.amountMinor, decimalsOf(body.currency)),
        bankLogo: 'https://example.com/bank-logo.png',
      },
    },
  });
};

export const authoriseCharge: Route<'authoriseCharge'> = (world, { params, body, atMs }) => {
  const charge = world.transactions.find(params.transactionId);
  if (charge?.type !== 'deposit') return failure('E-GEN.S-04', 'Transaction not found.');
  if (charge.status !== 'PENDING' || charge.stepRequired === null)
    return invalid('the charge waits for no authorisation');
  if (charge.stepRequired !== body.type) return invalid(`the charge waits for ${charge.stepRequired}`);
  const trouble = authorisationTrouble(body.type, body.value);
  if (trouble) return trouble;
  world.transactions.clearStep(charge.id, atMs);
  scheduleOutcome(world, charge.id, charge.fate === 'failed' ? 'failed' : 'successful', atMs);
  return answer({ message: 'Payment is processing.' });
};

type Charge = Omit<NewTransaction, 'method' | 'destination' | 'fate' | 'test'>;

/** What all charges have in common: amount, reference, the wallet that will be credited. */
function prepareCharge(
  world: World,
  body: { amount: number; currency: string; externalReference: string },
  walletCurrency: string,
  atMs: number,
): Charge | RouteResult {
  const currency = findCurrency(body.currency);
  const wallet = findCurrency(walletCurrency);
  if (!currency || !wallet)
    return invalid(`currency ${currency ? walletCurrency : body.currency} is not supported`);
  const amountMinor = minorFromReply(body.amount, currency.decimals);
  if (amountMinor === undefined) return invalid(`amount has more decimals than ${body.currency} takes`);
  const creditMinor: Minor = creditFor(amountMinor, body.currency, walletCurrency, atMs);
  if (
    !world.ledger.hasRoomFor(body.currency, amountMinor) ||
    !world.ledger.hasRoomFor(walletCurrency, creditMinor)
  ) {
    return invalid('the amount is too large');
  }
  if (creditMinor === 0n) return invalid('the amount is too small');
  if (world.faults.plan().dedupe && world.transactions.referenceUsed(body.externalReference)) {
    return failure('E-API-D.S-28');
  }
  const country = wallet.walletCountries[0] ?? '';
  return {
    id: newId(),
    type: 'deposit',
    externalReference: body.externalReference,
    country: currency.walletCountries[0] ?? country,
    currency: body.currency,
    amountMinor,
    senderCurrency: body.currency,
    senderMinor: amountMinor,
    receiverCurrency: walletCurrency,
    receiverMinor: creditMinor,
    wallet: walletName(walletCurrency, country),
    createdMs: atMs,
  };
}

function momoTrouble(body: Call<'chargeByMomo'>['body']): RouteResult | undefined {
  const operators = countries
    .filter((each) => each.currency === body.currency)
    .flatMap((each) => each.operators);
  if (operators.length === 0) return invalid(`mobile money does not take ${body.currency}`);
  if (body.momoOperatorId === undefined) {
    return body.currency === 'KES' ? undefined : invalid(`momoOperatorId is required for ${body.currency}`);
  }
  if (!operators.some((each) => each.id === body.momoOperatorId)) {
    return invalid(`momoOperatorId is one of ${[...new Set(operators.map((each) => each.id))].join(', ')}`);
  }
  if (operatorsWithCode.includes(body.momoOperatorId) && body.otpCode === undefined) {
    return invalid(`otpCode is required for ${body.momoOperatorId}`);
  }
  if (body.momoOperatorId === 'ott' && body.voucherPin === undefined) {
    return invalid('voucherPin is required for OTT voucher charges');
  }
  return undefined;
}

function authorisationTrouble(type: 'otp' | 'pin' | 'address', value: string): RouteResult | undefined {
  if (type === 'address') {
    return billingAddress.safeParse(parseJson(value)).success
      ? undefined
      : invalid('the address is JSON with zip, country, street1, city and state');
  }
  if (!/^\d{4,8}$/.test(value)) return invalid(`the ${type} is 4 to 8 digits`);
  return value === wrongAuthorisation ? failure('E-API-D.S-31') : undefined;
}

function scheduleOutcome(world: World, id: string, outcome: 'successful' | 'failed', atMs: number): void {
  world.dueEvents.add(atMs + world.timings.settleAfterMs, outcome === 'failed' ? 'fail' : 'succeed', id);
}

function hasExpired(month: string, year: string, nowMs: number): boolean {
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  return Date.UTC(fullYear, Number(month), 1) <= nowMs;
}

/** The check digit every card number carries. */
function passesCheckDigit(number: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
