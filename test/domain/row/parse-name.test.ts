import { expect, test } from 'vitest';
import { codesOf, judgeRow, mobileRow, type Values } from './judge-row.ts';

const { accountName: _, ...nameless } = mobileRow;

function nameOf(values: Values): string | undefined {
  return judgeRow({ ...nameless, ...values }).row?.accountName;
}

test('a whole name is taken before its parts, and cleaned', () => {
  expect(nameOf({ accountName: ' Mary\u00a0 Wanjiku ', firstName: 'Jane', lastName: 'Doe' })).toBe(
    'Mary Wanjiku',
  );
});

test('first and last name are joined where the whole name is absent or empty', () => {
  expect(nameOf({ firstName: 'Mary', lastName: 'Kamau' })).toBe('Mary Kamau');
  expect(nameOf({ accountName: '-', firstName: 'Mary', lastName: 'Kamau' })).toBe('Mary Kamau');
});

test('half a name warns', () => {
  const judgement = judgeRow({ ...nameless, firstName: 'Mary', lastName: '' });
  expect(codesOf(judgement)).toEqual(['name-incomplete']);
  expect(judgement.row?.accountName).toBe('Mary');
});

test('Null and Nil are names, N/A is none', () => {
  expect(nameOf({ firstName: 'Jean', lastName: 'Null' })).toBe('Jean Null');
  expect(codesOf(judgeRow({ ...nameless, accountName: 'N/A' }))).toEqual(['name-missing']);
});

test.each([
  [{}, 'name-missing', 'accountName'],
  [{ firstName: '', lastName: '' }, 'name-missing', 'firstName'],
  [{ accountName: '' }, 'name-missing', 'accountName'],
  [{ accountName: '0712345678' }, 'name-without-letters', 'accountName'],
  [{ accountName: 'M'.repeat(201) }, 'name-too-long', 'accountName'],
])('%j is %s in %s', (values, code, column) => {
  const { row, problems } = judgeRow({ ...nameless, ...values });
  expect(row).toBeUndefined();
  expect(problems.map((problem) => [problem.code, problem.column])).toEqual([[code, column]]);
});

test.each([
  ['Mary\u202eKamau', 'name-hidden-characters', 'MaryKamau'],
  ['Ma\u200bry Kamau', 'name-hidden-characters', 'Mary Kamau'],
  ['JosÃ© Mensah', 'name-garbled', 'JosÃ© Mensah'],
  ['Nâ€™Guessan', 'name-garbled', 'Nâ€™Guessan'],
  ['Jos\ufffd Mensah', 'name-garbled', 'Jos\ufffd Mensah'],
  ['Маry Kamau', 'name-mixed-scripts', 'Маry Kamau'],
])('%s only warns', (accountName, code, name) => {
  const judgement = judgeRow({ ...nameless, accountName });
  expect(codesOf(judgement)).toEqual([code]);
  expect(judgement.row?.accountName).toBe(name);
});

test.each([
  'Ndèye Fatou Sène',
  'N’Guessan Kouamé',
  'Ọláolúwa Adébáyọ̀',
  'Ŋaba Ɓello',
  'Âme Ãna',
  "Ng'ang'a",
  'محمد',
])('%s is an ordinary name', (accountName) => {
  expect(codesOf(judgeRow({ ...nameless, accountName }))).toEqual([]);
});

test('the parts are not looked at where there is a whole name', () => {
  expect(codesOf(judgeRow({ ...mobileRow, firstName: '#REF!', lastName: '\u0000' }))).toEqual([]);
});
