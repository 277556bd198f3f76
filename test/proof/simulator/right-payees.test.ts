import { expect, test } from 'vitest';
import type { ExternalAccount } from './model-account.ts';
import { createRightPayees, type WrittenPayee } from './right-payees.ts';

const number = '+254712353590';
const row: WrittenPayee = {
  key: 'K1',
  name: 'Amina Otieno',
  number,
  isBank: false,
  operator: 'mpesa',
  branchCode: '',
};

function accountAt(code: string): ExternalAccount {
  const payoutMethod = { branchCode: '', code, accountName: 'Amina Otieno', accountNumber: number };
  return { externalAccountId: 'acc1', country: 'KE', currency: 'KES', destination: 'MoMo', payoutMethod };
}

test('money goes by the operator that the row names, and by no other', () => {
  const payees = createRightPayees(new Map([[number, { name: 'AMINA OTIENO' }]]));
  payees.mayTake('payroll', row);
  expect(payees.whyWrong('payroll', 'K1', accountAt('mpesa'))).toBeUndefined();
  expect(payees.whyWrong('payroll', 'K1', accountAt('airtel'))).toContain('by airtel');
});

test('a corrected operator counts alone once it was taken, and no more where the journal was lost', () => {
  const payees = createRightPayees(new Map([[number, { name: 'AMINA OTIENO' }]]));
  const corrected = { ...row, operator: 'airtel' };
  payees.mayTake('payroll', row);
  payees.mayTake('payroll', corrected);
  expect(payees.whyWrong('payroll', 'K1', accountAt('mpesa'))).toBeUndefined();
  payees.taken('payroll', corrected);
  expect(payees.whyWrong('payroll', 'K1', accountAt('mpesa'))).toContain('by mpesa');
  payees.forget();
  expect(payees.whyWrong('payroll', 'K1', accountAt('mpesa'))).toBeUndefined();
});

test.each([
  { holder: { name: 'SOMEBODY ELSE' }, why: 'belongs to SOMEBODY ELSE' },
  { holder: 'missing' as const, why: 'cannot be checked (missing)' },
  { holder: 'unsupported' as const, why: 'cannot be checked (unsupported)' },
])('an account that is not known to be the payee’s is paid only after a release: $why', ({ holder, why }) => {
  const payees = createRightPayees(new Map([[number, holder]]));
  payees.mayTake('payroll', row);
  expect(payees.whyWrong('payroll', 'K1', accountAt('mpesa'))).toContain(why);
  payees.release('payroll', 'K1');
  expect(payees.whyWrong('payroll', 'K1', accountAt('mpesa'))).toBeUndefined();
});
