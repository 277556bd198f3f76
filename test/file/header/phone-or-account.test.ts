import { describe, expect, test } from 'vitest';
import { namesPhoneOrAccount } from '../../../src/file/header/phone-or-account.ts';
import { plannedFile } from '../../report/planned-file.ts';

test.each([
  ['M-Pesa / Account No', true],
  ['Account No/Mobile No', true],
  ['Phone or account', true],
  ['M-Pesa/A/C No', true],
  ['A/C No', false],
  ['Phone / Mobile', false],
  ['Department', false],
  ['Account name or phone owner', false],
])('%s names both numbers: %s', (header, expected) => {
  expect(namesPhoneOrAccount(header)).toBe(expected);
});

describe('one column for phone and account', () => {
  const columns = 'Staff No,Name,Country,Currency,Net Pay,Bank,M-Pesa / Account No,Department';
  const phone = 'E1,Mary Wanjiku,KE,KES,1000,,0712345678,Sales';
  const account = 'E2,Ann Otieno,KE,KES,500,68,0123456789012,Sales';

  test('is read by the payment mode of the row', async () => {
    const rows = [`${phone},M-PESA`, `${account},Bank`];
    const { plan, drafted } = await plannedFile(rows, `${columns},Payment Mode`);
    expect([...drafted.questions.problems()].filter(({ blocking }) => blocking)).toEqual([]);
    expect(plan.byDestination.map(({ name, rows: count }) => [name, count])).toEqual([
      ['Bank Account', 1],
      ['MoMo', 1],
    ]);
    expect(drafted.reading.header?.savedColumns['M-Pesa / Account No']).toBe('phoneOrAccount');
  });

  test('where a row does not say which, it is asked, and nothing is guessed', async () => {
    const { drafted } = await plannedFile([`${phone},`, `${account},Bank`], `${columns},Payment Mode`);
    const [problem] = [...drafted.questions.problems()].filter(({ blocking }) => blocking);
    expect(problem).toMatchObject({ code: 'destination-unclear', line: 2 });
    expect(problem?.message).toContain('may be a phone or an account');
  });

  test('where no column says which, a column is asked for once', async () => {
    const { drafted } = await plannedFile([phone, account], columns);
    const [problem] = [...drafted.questions.problems()].filter(({ code }) => code === 'column-missing');
    expect(problem?.message).toContain('"M-Pesa / Account No" holds phone numbers or account numbers');
  });
});

test('a column that looks like no phone number is not proposed as one', async () => {
  const header = 'paymentId,accountName,country,currency,amount,Department';
  const { drafted } = await plannedFile(['E1,Mary Wanjiku,KE,KES,1000,Sales'], header);
  const [problem] = [...drafted.questions.problems()].filter(({ code }) => code === 'column-missing');
  expect(problem?.message).not.toContain('"Department=phoneNumber"');
});
