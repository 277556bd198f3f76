/**
 * Why a payout is where it is. The journal keeps the code and what is particular to the payout; the sentence is made from
 * them for people, and nothing but people reads it.
 */
export interface Reason {
  /** Empty where there is nothing to say. */
  readonly code: ReasonCode | '';
  /** JSON: a text for each slot of the sentence, and under `before` the reason that it had before this one. */
  readonly details: string;
}

interface ReasonKind {
  /** The sentence. A word in braces is a slot. */
  readonly says: string;
  readonly means: string;
  readonly todo: string;
}

const nothing = 'Nothing: payrun resume goes on with it.';
const retryOrFix = 'Correct the row in the retry file, or payrun retry.';
const releaseOrCancel = 'payrun release --payment if it is right, else payrun cancel.';
const decide = 'Ask the service what became of it, then payrun decide.';
const stillPaid = 'Of one that is paid, payrun decide --still-paid ends the alarm.';
const askService = 'Ask the service about the transaction. payrun resume reads it again.';

/** Codes are stable: scripts and journals know them. */
export const reasons = {
  'name-close': {
    says: 'close: {why}',
    means: 'The name on the account is nearly the name in the file.',
    todo: 'Compare the two names. payrun release if it is the person, else correct the row.',
  },
  'name-mismatch': {
    says: 'mismatch: {why}',
    means: 'The name on the account differs from the name in the file.',
    todo: 'Correct the row. payrun release --payment only if you know that the account is theirs.',
  },
  'name-unchecked': {
    says: 'unchecked: {why}',
    means: 'The service cannot say whose account it is.',
    todo: 'Check the number another way, then payrun release.',
  },
  'name-repeated': {
    says: 'unchecked: the service repeats the name that is stored with the account; that proves nothing',
    means:
      'Somebody stored the account under this name before payrun asked. The service may only repeat that name.',
    todo: 'Check the number another way, then payrun release.',
  },
  'no-account': {
    says: 'the account does not exist',
    means: 'The service says that there is no such account.',
    todo: 'Correct the number in the retry file.',
  },
  'above-limit': {
    says: 'above the limit of {limit}',
    means: 'The amount is above the limit for one payout.',
    todo: releaseOrCancel,
  },
  'account-changed': {
    says: "external account {account} was changed at the service and is not this payee's any more",
    means: 'Somebody changed the stored account of the payee at the service.',
    todo: 'Find out who changed it. payrun release --payment looks for another account, or makes one.',
  },
  'account-listed-twice': {
    says: 'the service lists external account {account} twice, with different values',
    means:
      'One stored account is listed with two numbers, banks or operators. Nobody knows which one gets the money.',
    todo: 'Ask the service. payrun release --payment looks at its list again.',
  },
  'account-of-another': {
    says: 'external account {account} already stands for another payee',
    means: 'The service gave one stored account to two payees.',
    todo: 'Ask the service. payrun release --payment looks for another account, or makes one.',
  },
  'account-differs': {
    says: "external account {account} at the service is not this payee's",
    means: 'The stored account with this number has another country, currency, bank or operator.',
    todo: 'Correct the account at the service or the row, then payrun release --payment.',
  },
  'account-in-use': {
    says: 'external account {account} is not changed to what the row says: a payout of batch {batch} may still be sent to it as it is',
    means:
      'Two payouts name one number with two operators or branches, and the first of them has not ended yet.',
    todo: 'Correct the row. If it is right, finish or cancel the other payout first, then payrun release --payment.',
  },
  'account-not-corrected': {
    says: 'external account {account} has {differences}, and the service does not let it be corrected ({errorCode}: {words})',
    means:
      'The stored account has another operator or branch than the row, and the service refused to change it.',
    todo: 'Correct the account at the service or the row, then payrun release --payment.',
  },
  'account-not-as-written': {
    says: 'external account {account} was read back after it was written, and has {differences}',
    means: 'The service took the correction of an account and did not carry it out.',
    todo: 'Correct the account at the service, then payrun release --payment.',
  },
  'account-not-shown': {
    says: 'external account {account} was written and could not be read back: the service does not show it',
    means: 'The service says that it stored the account, and does not show it.',
    todo: 'Ask the service. payrun release --payment looks for the account again, or makes another.',
  },
  'account-made-for-another': {
    says: "external account {account} was made for this payee, yet it is another's",
    means: 'The service made another account than payrun asked for.',
    todo: 'Ask the service. payrun release --payment looks for another account, or makes one.',
  },
  'account-refused': {
    says: '{errorCode}: {words}',
    means: 'The service refused to store the account of the payee.',
    todo: 'Correct the row as the service asks, then run the retry file.',
  },
  'gone-from-file': {
    says: 'no longer in the file',
    means: 'The row of the payout is not in the newest file, or is not valid there.',
    todo: 'Put the row back, or payrun cancel; payrun release --payment pays it without its row.',
  },
  'possible-repeat': {
    says: 'the service shows a recent payment of the same amount to the same account ({transaction}) and cannot say whose it is',
    means:
      'The service shows a payment that this journal does not know. A lost journal may have sent it for this payout.',
    todo: releaseOrCancel,
  },
  'repeats-since': {
    says: 'payment {payment} of batch {batch} pays the same to the same account: it had come to nothing when this one was accepted, and the service has it after all',
    means:
      'Another payment of the same amount to the same account had failed, or was refused, when this one was accepted. Since then the service has paid it, or has it on its way.',
    todo: releaseOrCancel,
  },
  'earlier-attempt-open': {
    says: 'attempt {attempt}, sent before the row was changed, is not failed any more{transactions}',
    means: 'An earlier attempt is on its way or paid after all.',
    todo: `${askService} Do not release it before that attempt has failed.`,
  },
  'earlier-attempt-untold': {
    says: 'attempt {attempt} could not be checked: {why}',
    means: 'payrun cannot see whether an earlier attempt has failed.',
    todo: releaseOrCancel,
  },
  'reference-of-another': {
    says: 'another transaction stands under its reference: {why}',
    means: 'The service holds something under the reference that is not this payout.',
    todo: decide,
  },
  'look-up-untold': {
    says: 'no look-up can decide it: {why}',
    means: 'The service cannot be searched for what it holds.',
    todo: decide,
  },
  unproven: {
    says: 'it was sent and not answered clearly; no look-up has found an accepted payout at this service yet',
    means:
      'Sent, not answered clearly, not found; and no look-up has ever shown a payout that the service accepted.',
    todo: `${nothing} It is sent again once look-ups are proven.`,
  },
  'reference-burnt': {
    says: 'the service calls its reference used, yet no look-up finds it',
    means: 'The service refuses the reference as used and shows no transaction under it.',
    todo: decide,
  },
  'unanswered-sends': {
    says: 'sent {sends} times without an answer, and not found',
    means: 'It was sent as often as --resends allows, and was never found.',
    todo: `${decide} payrun release --payment sends it once more.`,
  },
  'account-gone': {
    says: 'its external account was changed or removed at the service',
    means: 'It was sent and not answered. Its account was changed or removed since then.',
    todo: decide,
  },
  'not-this-payout': {
    says: 'transaction {transaction} is not this payout: {why}',
    means: 'The service named a transaction that is not what payrun sent.',
    todo: `${askService} ${stillPaid}`,
  },
  'status-contradicts': {
    says: 'the service calls transaction {transaction} both {status} and {chargeStatus}',
    means:
      'Two status words contradict each other, in the transaction or between the list and the single read. It may be paid or not.',
    todo: `${askService} Do not pay it another way. ${stillPaid}`,
  },
  'failed-yet-paid': {
    says: 'its transaction failed, yet attempt {attempt}, sent before the row was changed, was paid by {transaction}',
    means: 'The present attempt failed; an earlier one, with other values, was paid.',
    todo: 'Do not retry it. Ask the service, and settle the difference by hand.',
  },
  'failed-yet-another': {
    says: 'its transaction failed, yet another stands under its reference: {why}',
    means: 'The transaction failed; another one under the same reference is not failed.',
    todo: `${askService} ${stillPaid}`,
  },
  refused: {
    says: '{errorCode}: {words}',
    means: 'The service did not take the payout, and says why.',
    todo: retryOrFix,
  },
  'decided-not-paid': {
    says: 'decided{by}: not paid: {reason}',
    means: 'A person decided that it was not paid.',
    todo: retryOrFix,
  },
  'decided-while-pending': {
    says: 'decided{by}: not paid: {reason}; when that was decided, the service showed {shown}',
    means:
      'It stayed pending for days, and a person gave up waiting. The service may still pay it: payrun reads it once a day.',
    todo: 'Do not pay it another way before you have asked the service. payrun retry sends nothing until it has failed there.',
  },
  failed: {
    says: 'the service says it failed',
    means: 'The service tried and failed.',
    todo: retryOrFix,
  },
  returned: {
    says: 'it was paid and came back',
    means: 'The service said successful, and later failed.',
    todo: 'Correct the row in the retry file, or payrun retry --payment.',
  },
  'returned-yet-paid': {
    says: 'it was paid and came back; attempt {attempt}, sent before the row was changed, was paid by {transaction}',
    means: 'It came back, and an earlier attempt with other values was paid.',
    todo: 'Do not retry it. Ask the service, and settle the difference by hand.',
  },
  cancelled: {
    says: '{reason}',
    means: 'A person dropped it before it was sent.',
    todo: 'Nothing. payrun retry --payment brings it back.',
  },
  'paid-yet-pending': {
    says: 'the service calls its transaction {transaction} pending now',
    means: 'The service said successful, and takes that back without saying that it failed.',
    todo: `${askService} ${stillPaid}`,
  },
  'paid-yet-gone': {
    says: 'the service does not show its transaction {transaction} any more: {why}',
    means: 'The service said successful, and later does not know the transaction.',
    todo: `${askService} Do not pay it another way. ${stillPaid}`,
  },
  'paid-twice': {
    says: 'PAID TWICE by the transactions {transactions}',
    means: 'More than one transaction has paid this payout.',
    todo: 'Ask the service, or the payee, to return the second payment.',
  },
  'amount-differs': {
    says: 'the service shows {shown} paid, the payout is of {amount}',
    means:
      'The service shows a whole amount. Either it paid less or more, or it only shows the amount rounded.',
    todo: 'Ask the service, or the payee, what arrived. Settle the difference by hand.',
  },
  watched: {
    says: 'another transaction under its reference is still open: {transactions}',
    means: 'It is paid. Another transaction of it has not ended and may pay it a second time.',
    todo: 'Nothing: every run and every payrun resume reads it again. Do not retry it.',
  },
  noted: {
    says: '{text}',
    means: 'An earlier version of payrun wrote it without a code.',
    todo: 'As the sentence says.',
  },
} as const satisfies Record<string, ReasonKind>;

export type ReasonCode = keyof typeof reasons;

type Slots<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? Slot | Slots<Rest>
  : never;

type DetailsOf<Code extends ReasonCode> = [Slots<(typeof reasons)[Code]['says']>] extends [never]
  ? []
  : [details: Readonly<Record<Slots<(typeof reasons)[Code]['says']>, string>>];

export const noReason: Reason = { code: '', details: '{}' };

export function reason<Code extends ReasonCode>(code: Code, ...[details]: DetailsOf<Code>): Reason {
  return { code, details: JSON.stringify(details ?? {}) };
}

/** What held a payout before must not be hidden by what happens to it now. */
export function reasonAfter(now: Reason, before: Reason): Reason {
  if (before.code === '') return now;
  const details = { ...detailsOf(now), before: { code: before.code, details: detailsOf(before) } };
  return { ...now, details: JSON.stringify(details) };
}

/** For people. Empty where there is nothing to say. */
export function reasonText({ code, details }: Reason): string {
  return code === '' ? '' : textOf(code, detailsOf({ code, details }));
}

type Details = Readonly<Record<string, unknown>>;

function detailsOf({ details }: Reason): Details {
  return JSON.parse(details) as Details;
}

function textOf(code: ReasonCode, details: Details): string {
  const text = reasons[code].says.replace(/\{(\w+)\}/g, (_, slot: string) => String(details[slot] ?? ''));
  const before = details['before'] as { readonly code: ReasonCode; readonly details: Details } | undefined;
  return before ? `${text}; it was held: ${textOf(before.code, before.details)}` : text;
}
