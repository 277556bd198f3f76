import { describe, expect, test } from 'vitest';
import { decidePaid } from '../../../src/decisions/decide.ts';
import { judgeAnswers } from '../../../src/domain/payout/judge-answers.ts';
import type { JudgedPayout, ShownTransaction } from '../../../src/domain/payout/shown-transaction.ts';

const payout: JudgedPayout = {
  reference: '5f1c1a2e-0000-5000-8000-000000000001',
  currency: 'KES',
  amountMinor: 125_050n,
  country: 'KE',
  destination: 'Bank Account',
  number: '0170299123495',
  bankCode: '68',
  operator: '',
};
const read: ShownTransaction = {
  transactionId: 'TX1',
  status: 'SUCCESSFUL',
  externalReference: payout.reference,
};
const row: ShownTransaction = {
  transactionId: 'TX1',
  status: 'SUCCESSFUL',
  amount: 1250,
  currency: 'KES',
  beneficiary: { accountNumber: payout.number, bankCode: '68' },
};

function judged(status: string | null, listed: string | null) {
  return judgeAnswers({ ...read, status }, [{ ...row, status: listed }], payout, 'TX1');
}

describe('a read and a row of one transaction', () => {
  test.each([
    ['SUCCESSFUL', 'successful', 'successful'],
    ['FAILED', 'FAILED', 'failed'],
    ['PENDING', 'pending', 'pending'],
    // The list may lag behind a success, and is not asked about one at all where the read shows everything.
    ['SUCCESSFUL', 'PENDING', 'successful'],
    // A row that says nothing of the status contradicts nothing.
    ['FAILED', null, 'failed'],
    ['FAILED', ' ', 'failed'],
    [null, 'SUCCESSFUL', 'pending'],
  ])('that say %s and %s: it is %s', (status, listed, expected) => {
    expect(judged(status, listed)).toMatchObject({ kind: 'ours', status: expected });
    expect(judged(status, listed)).not.toHaveProperty('contradiction');
  });

  test.each([
    ['FAILED', 'SUCCESSFUL'],
    ['SUCCESSFUL', 'FAILED'],
    ['FAILED', 'PENDING'],
    ['FAILED', 'a word of its own'],
    ['PENDING', 'SUCCESSFUL'],
    ['PENDING', 'FAILED'],
  ])('that say %s and %s contradict each other', (status, listed) => {
    const contradiction = { status, chargeStatus: listed };
    expect(judged(status, listed)).toMatchObject({ kind: 'ours', status: 'pending', contradiction });
  });

  test('are ours only if both are, and a difference is not failed because one of them says so', () => {
    const other = { ...row, status: 'FAILED', beneficiary: { accountNumber: '999' } };
    expect(judgeAnswers(read, [other], payout)).toEqual({
      kind: 'differs',
      why: 'it went to another account',
      status: 'pending',
    });
    expect(judgeAnswers({ ...read, amount: 7 }, [row], payout)).toMatchObject({ kind: 'differs' });
    const elsewhere = { ...row, externalReference: '5f1c1a2e-0000-5000-8000-000000000002' };
    expect(judgeAnswers(read, [elsewhere], payout)).toMatchObject({ kind: 'differs', status: 'pending' });
  });

  test('say the amount by the read, which does not cut it, and by the row where the read shows none', () => {
    expect(judgeAnswers({ ...read, amount: 1250.5 }, [row], payout)).toMatchObject({ shownMinor: 125_050n });
    expect(judgeAnswers(read, [row], payout)).toMatchObject({ shownMinor: 125_000n });
  });

  test('are not asked for each other: a row of another transaction says nothing', () => {
    const another = { ...row, transactionId: 'TX2', status: 'FAILED' };
    expect(judgeAnswers(read, [another], payout)).toMatchObject({ kind: 'ours', status: 'successful' });
  });
});

test('a person who says that it was paid is believed no further than list and read together go', () => {
  const unclear = { ...payout, state: 'unclear', key: 'P001' } as unknown as Parameters<typeof decidePaid>[0];
  const claimed = { ...read, status: 'FAILED' };
  expect(decidePaid(unclear, claimed, undefined, 0, 'seen', [row])).toMatchObject({
    kind: 'moves',
    move: { to: 'submitted', changes: { code: 'status-contradicts' } },
  });
  const other = { ...row, beneficiary: { accountNumber: '999' } };
  expect(decidePaid(unclear, read, undefined, 0, 'seen', [other])).toMatchObject({ kind: 'stays' });
});
