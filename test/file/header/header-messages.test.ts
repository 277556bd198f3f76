import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { fieldOfHeader } from '../../../src/file/header/header-aliases.ts';
import { readRows } from '../../../src/pipeline/1-read-rows.ts';
import type { ReadRowsOptions } from '../../../src/pipeline/draft/draft-options.ts';
import { collectRows } from '../collect.ts';

async function problemsOf(text: string, options: ReadRowsOptions = {}) {
  const reading = await readRows(Readable.from([Buffer.from(text)]), options);
  await collectRows(reading);
  return reading.problems;
}

describe('a file whose column names are not found', () => {
  test('because --delimiter names another sign is told so', async () => {
    const text = 'Staff No;Name;Country;Currency;Net Pay;Phone\nE1;Amina Otieno;KE;KES;12500;0712345671\n';
    const [problem] = await problemsOf(text, { delimiter: 'comma' });
    expect(problem).toMatchObject({ code: 'header-missing' });
    expect(problem?.message).toMatch(
      /separated by semicolons.*--delimiter says otherwise.*--delimiter semicolon/,
    );
    expect(problem?.message).not.toContain('quotes');
  });

  test('because a sep= line names another sign is told so', async () => {
    const text =
      'sep=,\nStaff No;Name;Country;Currency;Net Pay;Phone\nE1;Amina Otieno;KE;KES;12500;0712345671\n';
    const [problem] = await problemsOf(text);
    expect(problem?.message).toMatch(/"sep=".*--delimiter semicolon/);
  });

  test('because every line is in quotes is told so', async () => {
    const text =
      '"Staff No,Name,Country,Currency,Net Pay,Phone"\n"E1,Amina Otieno,KE,KES,12500,0712345671"\n';
    const [problem] = await problemsOf(text);
    expect(problem?.message).toContain('wrapped in quotes');
  });

  test('because there are none gets a line to begin with, by what its first line holds', async () => {
    const [problem] = await problemsOf('E1,Amina Otieno,KE,KES,12500.00,0712345671\n');
    expect(problem?.message).toMatch(/one name for each of its 6 columns, in their order/);
    expect(problem?.message).toContain('paymentId,accountName,country,currency,amount,phoneNumber');
  });
});

describe('a missing column', () => {
  test('is first to be added, and --map is offered with the columns that are free', async () => {
    const [problem] = await problemsOf(
      'Staff No,Country,Currency,Net Pay,Phone,Dept\nE1,KE,KES,1,0712345671,x\n',
    );
    expect(problem).toMatchObject({ code: 'column-missing', column: 'accountName' });
    expect(problem?.message).toMatch(
      /Add a column accountName, or firstName and lastName\..*--map "Dept=accountName"/,
    );
  });

  test('is not looked for among columns that are in use', async () => {
    const [problem] = await problemsOf('Staff No,Country,Currency,Net Pay,Phone\nE1,KE,KES,1,0712345671\n');
    expect(problem?.message).toContain('Add a column accountName');
    expect(problem?.message).not.toContain('--map');
  });
});

describe('columns of unknown names', () => {
  const ofColumn = async (header: string, cell = 'x') =>
    (await problemsOf(`${header}\n${header.replace(/[^,]+/g, cell)}\n`)).filter(
      ({ code }) => code === 'column-missing',
    );

  test('are never proposed for one field and for another as well', async () => {
    const missing = await ofColumn('Dept,Earned,Who,Reach,country,currency');
    expect(missing.map(({ column }) => column)).toEqual(['amount', 'accountName', 'phoneNumber']);
    expect(missing.map(({ remedy }) => remedy)).toEqual([undefined, undefined, undefined]);
    for (const { column, message } of missing) expect(message).toContain(`--map "COLUMN=${column}"`);
  });

  test('are proposed where there is one column and one field', async () => {
    const [only, ...others] = await ofColumn('Sum,name,phone,country,currency', '12');
    expect(only).toMatchObject({ column: 'amount', remedy: '--map "Sum=amount"' });
    expect(others).toEqual([]);
    const [unlike] = await ofColumn('Dept,name,phone,country,currency');
    expect(unlike?.column).toBe('amount');
    expect(unlike?.remedy).toBeUndefined();
  });

  test.each([
    ['Employee', 'accountName', 'may hold numbers'],
    ['Salary', 'amount', 'before tax'],
  ])('that may be something else, such as %s, are offered and not taken', async (name, field, why) => {
    const rest = ['amount', 'name', 'phone', 'country', 'currency'].filter(
      (each) => each !== (field === 'accountName' ? 'name' : field),
    );
    const problems = await problemsOf(
      `${[name, ...rest].join(',')}\n${[name, ...rest].map(() => 'x').join(',')}\n`,
    );
    const offer = problems.find(({ code }) => code === 'header-offered');
    expect(offer?.message).toContain(why);
    expect(problems.find(({ column }) => column === field)?.remedy).toBe(`--map "${name}=${field}"`);
  });

  test.each([
    ['Tel', 'phoneNumber'],
    ['A/C No.', 'accountNumber'],
    ['Take-home', 'amount'],
  ])('%s is known', (name, field) => {
    expect(fieldOfHeader(name)).toEqual({ field });
  });
});

describe('--map of the payment id', () => {
  const text = 'Staff No,Country,Currency,Net Pay,Phone\nE1,KE,KES,1,0712345671\n';

  test('to another field is a warning', async () => {
    const problems = await problemsOf(text, { map: ['Staff No=accountName'] });
    expect(problems).toMatchObject([{ code: 'payment-id-taken', blocking: false, column: 'Staff No' }]);
  });

  test('is none where another column is the id', async () => {
    const ids = text.replace('Phone', 'Phone,Invoice No').replace('671', '671,7');
    expect(await problemsOf(ids, { map: ['Staff No=accountName'] })).toEqual([]);
  });
});

test('a total inside the table is to be deleted, and is not counted as a row', async () => {
  const head = 'Staff No,Name,Country,Currency,Net Pay,Phone';
  const rows = [
    'E1,Amina Otieno,KE,KES,10,0712345671',
    'Sub total,,,,10,',
    'E2,John Kamau,KE,KES,10,0712345672',
  ];
  const problems = await problemsOf(`${[head, ...rows, 'Total,,,,99,'].join('\n')}\n`);
  expect(problems.map(({ code }) => code)).toEqual(['total-inside', 'total-mismatch']);
  expect(problems[0]?.message).toContain('Delete line 3');
  expect(problems[1]?.message).toContain('the 2 amounts above it add up to 20');
});

test.each(['M-Pesa No', 'MPESA Number', 'Mpesa', 'Mobile Money Number', 'MoMo Number'])(
  '%s is the phone number',
  async (name) => {
    const text = `Staff No,Name,Country,Currency,Net Pay,${name}\nE1,Amina Otieno,KE,KES,10,0712345671\n`;
    expect(await problemsOf(text)).toEqual([]);
  },
);
