/**
 * Endings of phone and account numbers that pick an outcome. One table: the docs, `--help` and the routes read it.
 * Five digits, so that a real number meets one by chance about once in six thousand.
 */
export const testEndings = {
  '99000': { fate: 'paid', says: 'paid' },
  '99001': { fate: 'failed', says: 'accepted, then failed; the money goes back to the wallet' },
  '99002': { fate: 'stuck', says: 'accepted, then pending for ever' },
  '99003': { fate: 'returned', says: 'paid, and returned later' },
  '99004': { fate: 'no-account', says: 'no such account: resolve and payout answer E-CH-PY.S-37' },
  '99005': { fate: 'refused', says: 'payout refused at once with E-API-P.S-42' },
  '99006': { fate: 'slow', says: 'paid, the answer comes late' },
  '99007': { fate: 'reply-lost', says: 'paid, the reply is lost after processing' },
  '99008': { fate: 'late', says: 'the connection drops, the payout is processed later' },
  '99010': { fate: 'name-exact', says: 'name resolves exactly as registered; paid' },
  '99011': { fate: 'name-reordered', says: 'name resolves with its words in another order; paid' },
  '99012': { fate: 'name-near', says: 'name resolves with one letter off; paid' },
  '99013': { fate: 'name-other', says: 'name resolves to somebody else; paid' },
  '99014': { fate: 'name-ok', says: 'name resolves to "OK"; paid' },
  '99015': { fate: 'name-empty', says: 'name resolves to nothing; paid' },
  '99016': { fate: 'name-unsupported', says: 'rail that cannot be resolved: E-CH-PY.S-38; paid' },
} as const;

export type Fate = (typeof testEndings)[keyof typeof testEndings]['fate'];

const endingLength = 5;

/** Every number without such an ending is paid, and resolves to the name it is held under. */
export function fateOf(number: string): Fate {
  const ending = number.slice(-endingLength);
  return Object.hasOwn(testEndings, ending) ? testEndings[ending as keyof typeof testEndings].fate : 'paid';
}

/** Cards that ask for a step or fail. All pass the card check digit. */
export const testCards = {
  '4242424242424242': { step: undefined, outcome: 'successful', says: 'succeeds with no further step' },
  '4000000000000010': { step: 'otp', outcome: 'successful', says: 'asks for otp, then succeeds' },
  '4000000000000028': { step: 'pin', outcome: 'successful', says: 'asks for pin, then succeeds' },
  '4000000000000036': { step: 'address', outcome: 'successful', says: 'asks for address, then succeeds' },
  '4000000000000044': { step: undefined, outcome: 'failed', says: 'is declined by the bank' },
  '4000000000000051': { step: 'otp', outcome: 'failed', says: 'asks for otp, then is declined' },
} as const satisfies Record<string, TestCard>;

export interface TestCard {
  readonly step: 'otp' | 'pin' | 'address' | undefined;
  readonly outcome: 'successful' | 'failed';
  readonly says: string;
}

export function cardFate(number: string): TestCard {
  return Object.hasOwn(testCards, number)
    ? testCards[number as keyof typeof testCards]
    : testCards['4242424242424242'];
}

/** Authorisation data that is always wrong; anything else is right. */
export const wrongAuthorisation = '000000';
