import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountKey, isAccountOf, payeeAccountKey } from '../../../src/pipeline/payee/account-key.ts';

test('an account is of a payee just where their keys are the same', () => {
  const text = fc.constantFrom('', 'KE', 'KES', '68', '254711', '+254711', '++254711', '"', 'MoMo');
  const destination = fc.constantFrom('MoMo' as const, 'Bank Account' as const);
  const shown = fc.option(text, { nil: undefined });
  const account = fc.record({
    externalAccountId: fc.constant('a'),
    country: shown,
    currency: shown,
    destination: fc.option(fc.oneof(destination, text), { nil: undefined }),
    payoutMethod: fc.option(fc.record({ accountNumber: shown, code: shown }), { nil: undefined }),
  });
  const payee = fc.record({ country: text, currency: text, destination, bankCode: text, number: text });
  const ownPayee = fc.tuple(account, payee).map(([one, other]) => {
    const { country = other.country, currency = other.currency, payoutMethod } = one;
    const bankCode = one.destination === 'MoMo' ? '' : (payoutMethod?.code ?? '');
    const number = payoutMethod?.accountNumber ?? '';
    return [one, { ...other, country, currency, bankCode, number }] as const;
  });
  let same = 0;
  fc.assert(
    fc.property(fc.oneof(fc.tuple(account, payee), ownPayee), ([one, other]) => {
      const isSame = accountKey(one) === payeeAccountKey(other);
      if (isSame) same += 1;
      expect(isAccountOf(one, other)).toBe(isSame);
    }),
    { numRuns: 3_000 },
  );
  expect(same).toBeGreaterThan(20);
});
