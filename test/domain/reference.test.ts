import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { debitWallet } from '../../src/domain/money/debit-wallet.ts';
import {
  fingerprintOf,
  payeeKey,
  paymentKey,
  referenceOf,
  uuidFromName,
} from '../../src/domain/reference.ts';
import type { Payee, Row } from '../../src/domain/row.ts';
import vectors from './reference-vectors.json' with { type: 'json' };
import { bankRow, judgeRow, mobileRow, type Values } from './row/judge-row.ts';

/** The vectors were made by another program. If one fails, the code is wrong: every payout would be paid again. */
describe('committed vectors', () => {
  test.each(vectors.references)(
    '$batch, $key, attempt $attempt is $reference',
    ({ batch, kind, key, attempt, reference }) => {
      expect(referenceOf(batch, kind as 'paymentId' | 'payee', key, attempt)).toBe(reference);
    },
  );

  test.each(vectors.fingerprints)('$payeeKey, $amountMinor $currency is $fingerprint', (vector) => {
    const payee = { ...vector.payee, operator: undefined, branchCode: undefined } as Payee;
    const { currency, country } = vector.debitWallet;
    expect(payeeKey(payee)).toBe(vector.payeeKey);
    expect(
      fingerprintOf({
        payee,
        amountMinor: BigInt(vector.amountMinor),
        currency: vector.currency,
        debitWallet: { currency, country },
      }),
    ).toBe(vector.fingerprint);
  });

  test('the algorithm gives the example of the standard', () => {
    expect(uuidFromName(Buffer.from('6ba7b8109dad11d180b400c04fd430c8', 'hex'), 'www.example.com')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    );
  });
});

describe('the reference', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });

  test('differs as soon as one of its four parts does', () => {
    const part = fc.tuple(
      text,
      fc.constantFrom('paymentId' as const, 'payee' as const),
      text,
      fc.integer({ min: 1, max: 99 }),
    );
    fc.assert(
      fc.property(part, part, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        expect(referenceOf(...one) === referenceOf(...other)).toBe(same);
      }),
    );
  });

  test('cannot be made equal by moving text from the batch to the key', () => {
    expect(referenceOf('a,"b', 'paymentId', 'c', 1)).not.toBe(referenceOf('a', 'paymentId', 'b,"c', 1));
  });

  test('is a lower-case UUID of version 5', () => {
    fc.assert(
      fc.property(text, text, (batch, key) => {
        expect(referenceOf(batch, 'paymentId', key, 1)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });

  test('of each row is the same in any order of the rows, on any line and for any amount', () => {
    const rows: Values[] = Array.from({ length: 20 }, (_, index) => ({
      ...(index % 2 === 0 ? mobileRow : bankRow),
      paymentId: `EMP-${index}`,
    }));
    const referencesOf = (ordered: readonly Values[], amount: string): Map<string, string> =>
      new Map(
        ordered.map((values) => {
          const { row } = judgeRow({ ...values, amount });
          const { kind, key } = paymentKey(row as Row);
          return [values.paymentId ?? '', referenceOf('payroll', kind, key, 1)];
        }),
      );
    const expected = referencesOf(rows, '100');
    expect(new Set(expected.values()).size).toBe(rows.length);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(rows, { minLength: rows.length }),
        fc.integer({ min: 1, max: 10_000 }),
        (ordered, amount) => {
          for (const [id, reference] of referencesOf(ordered, String(amount)))
            expect(reference).toBe(expected.get(id));
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('the payment key', () => {
  function keyOf(values: Values, hasPaymentIdColumn: boolean) {
    const { row } = judgeRow(values, { hasPaymentIdColumn });
    return row && paymentKey(row);
  }

  test('is the id where there is one, else the payee', () => {
    expect(keyOf(mobileRow, true)).toEqual({ kind: 'paymentId', key: 'EMP-17' });
    expect(keyOf({ ...mobileRow, paymentId: '' }, false)).toEqual({
      kind: 'payee',
      key: 'KE:momo:+254712345678',
    });
    expect(keyOf({ ...bankRow, paymentId: '' }, false)).toEqual({
      kind: 'payee',
      key: 'KE:bank:68:0123456789012',
    });
  });

  test('of a payee does not depend on name, operator, branch or notation', () => {
    const keys = [
      mobileRow,
      { ...mobileRow, accountName: 'Somebody Else', operator: 'Airtel', branchCode: '17' },
      { ...mobileRow, phoneNumber: '+254 712-345-678', country: 'Kenya' },
    ].map((values) => keyOf(values, false)?.key);
    expect(new Set(keys)).toEqual(new Set(['KE:momo:+254712345678']));
    expect(keyOf({ ...bankRow, bankCode: 'Equity', accountNumber: '01234 56789-012' }, false)?.key).toBe(
      'KE:bank:68:0123456789012',
    );
  });
});

describe('the fingerprint', () => {
  function fingerprint(values: Values): string | undefined {
    const { row } = judgeRow({ ...mobileRow, ...values });
    return row && fingerprintOf({ ...row, debitWallet: debitWallet(row) });
  }

  test.each([
    { amount: '1,250.50' },
    { currency: 'KSh' },
    { phoneNumber: '+254712345678' },
    { accountName: 'Somebody Else' },
    { narration: 'other' },
    { operator: 'Airtel' },
    { branchCode: '17' },
    { paymentId: 'other' },
    { debitCurrency: 'KES' },
    { debitCurrency: 'KES', debitCountry: 'KE' },
  ])('is the same with %j', (values) => {
    expect(fingerprint(values)).toBe(fingerprint({}));
  });

  test('is another for another payee, amount, currency or wallet', () => {
    const prints = [
      {},
      { amount: '1250.51' },
      { currency: 'USD' },
      { phoneNumber: '0712345679' },
      { debitCurrency: 'USD', debitCountry: 'KE' },
      { debitCurrency: 'USD', debitCountry: 'US' },
      { debitCurrency: 'UGX' },
    ].map(fingerprint);
    expect(new Set(prints).size).toBe(prints.length);
    expect(prints).not.toContain(undefined);
  });
});
