import { maskNumber } from '../domain/money/format-money.ts';
import { maskNumbers } from '../domain/text/mask-numbers.ts';

/** Ids that a next command needs, money, times and codes: long numbers that are nobody's account. */
const shownWhole: ReadonlySet<string> = new Set([
  'transactionId',
  'externalAccountId',
  'externalReference',
  'id',
  'amount',
  'senderAmount',
  'receiverAmount',
  'balance',
  'createdAt',
  'expiresAt',
  'updatedAt',
  'fullTimestamp',
  'code',
  'bankCode',
  'branchCode',
  'branch_code',
  'bank_id',
  'buy',
  'sell',
]);

/** By these the service calls a person's number. `accountId` is what it resolves a number to: often the number itself. */
const numbers: ReadonlySet<string> = new Set(['accountNumber', 'phoneNumber', 'accountId']);

/** A temporary account of our own, which whoever pays must be told. */
const ownAccount = 'virtualAccount';

/** A reply as people and machines get it: of account numbers the last four digits, also where nobody expects one. */
export function maskedReply<Reply>(reply: Reply): Reply {
  return masked('', reply) as Reply;
}

function masked(name: string, value: unknown): unknown {
  if (name === ownAccount) return value;
  if (typeof value === 'string' || typeof value === 'number') return maskedValue(name, value);
  if (Array.isArray(value)) return value.map((each) => masked(name, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, each]) => [maskNumbers(field), masked(field, each)]),
  );
}

function maskedValue(name: string, value: string | number): string | number {
  if (shownWhole.has(name)) return value;
  if (numbers.has(name)) return value === '' ? value : maskNumber(String(value));
  const shown = maskNumbers(String(value));
  return shown === String(value) ? value : shown;
}
