import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FileColumn } from '../../../src/domain/file-columns.ts';
import { ColumnDamage } from '../../../src/domain/restore/column-damage.ts';
import {
  comparedCells,
  type JournaledCells,
  type ReadCells,
  restoreCells,
  restoreDamage,
} from '../../../src/domain/restore/spreadsheet-restore.ts';

/** What stood there, and what a spreadsheet makes of it. */
const damages: readonly (readonly [journaled: string, read: string])[] = [
  ['+254708123456', '2.54708E+11'],
  ['254708123456', '2.54708E+11'],
  ['254708123456', '2.54708e+11'],
  ['254708123456', '2,54708E+11'],
  ['254708123456', '2.55E+11'],
  ['+254700000000', '2.547E+11'],
  ['250000123456', '2.5E+11'],
  ['+254708123456', '254708123456'],
  ['+254708123456', '254708123456.0'],
  ['0708123456', '708123456'],
  ['0708123456', '708123456.0'],
  ['0708123456', '708,123,456'],
  ['007', '7'],
  ['000', '0'],
  ['0012345678901234', '1.23457E+13'],
  ['1234567890123456', '1234567890123450'],
  ['1234567890123456', '1234567890123460'],
  ['1234567890123456', '1.23456789012346E+15'],
  ['1234567890123456789', '1.2345678901234568e+18'],
  ['1200.50', '1200.5'],
  ['1,200.50', '1200.5'],
  ['1200.50', '1,200.50'],
  ['1200', '1,200.00'],
  ['1200', '1 200,00'],
  ['1200', '1\u202f200'],
  ['1200,50', '1200,5'],
  ['1.200,50', '1200,5'],
  ['1.10', '1.1'],
  ['12E4', '1.20E+05'],
  ['12E4', '120000'],
  ['12-3', '12-Mar'],
  ['12-3', '3-Dec'],
  ['3/12', '12-Mar'],
  ['3/12', '12/03/2026'],
  ['3/12', '2026-03-12'],
  ['2026-11', 'Nov-26'],
  ['2026-11', '01/11/2026'],
  ['2026-11', '2026-11-01 00:00:00'],
  ['11/2026', 'nov-26'],
  ['2026-11-12', '12/11/2026'],
  ['2026-11-12', '11/12/26'],
  ['12-3-26', '2026-03-12'],
  ['MAR12', '12-Mar'],
  ['MARCH1', '1-Mar'],
  ['SEPT2', '2-Sep'],
  ['Nov-26', '26-Nov'],
  ['Nov 2026', 'Nov-26'],
  ['12-45', 'Dec-45'],
  ['12-8', '12-août'],
  ['true', 'TRUE'],
  ['Ɓala Ŋun', '?ala ?un'],
  ['Ṣadé Ọlá', 'Sadé Olá'],
  ['Ama 😀', 'Ama ??'],
  ['two\r\nlines', 'two\nlines'],
  ['Ŋun\r\nlines', 'Ŋun\nlines'],
];

/** What stood there, and what only a person makes of it. */
const changes: readonly (readonly [journaled: string, read: string])[] = [
  ['254708123456', '+254708123456'],
  ['708123456', '0708123456'],
  ['00123456789', '0123456789'],
  ['+254708123456', '2.54709E+11'],
  ['+254708123456', '2.5E+11'],
  ['+254708123456', '3E+11'],
  ['+254708123456', '2.54708E+12'],
  ['+254708123456', '254708123457'],
  ['0708123456', '70812345'],
  ['1234567890123456', '1234567890123470'],
  ['123456789012345', '123456789012340'],
  ['1200.50', '1200.6'],
  ['1200.50', '120050'],
  ['1200', '-1200'],
  ['12,500', '12.5'],
  ['1200', '1,20,0'],
  ['12-3', '12-Apr'],
  ['12-3', '13-Mar'],
  ['13-14', '14-Jan'],
  ['2026-11', 'Nov-27'],
  ['2026-11', '02/11/2026'],
  ['2026-11-12', '13/11/2026'],
  ['2026-11-12', '12-Nov'],
  ['Mary', '12-Mar'],
  ['Ɓala', 'Bala'],
  ['Éric', '?ric'],
  ['Wanjiku', 'Wanjiru'],
  ['true', 'FALSE'],
  ['007', ''],
  ['', '7'],
  ['KE', 'UG'],
];

describe('a cell that comes back from a spreadsheet', () => {
  test.each(damages)('%j read back as %j is restored', (journaled, read) => {
    expect(restoreDamage(journaled, read)).toBe(journaled);
  });

  test.each(changes)('%j read back as %j is a change that somebody meant', (journaled, read) => {
    expect(restoreDamage(journaled, read)).toBeUndefined();
  });

  test('needs no restoring when it is as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => restoreDamage(text, text) === undefined),
    );
  });

  test('is restored from what Excel shows of any number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+?0{0,3}[1-9][0-9]{0,18}$/), (text) => {
        fc.pre(shownByExcel(text) !== text);
        expect(restoreDamage(text, shownByExcel(text))).toBe(text);
        expect(restoreDamage(text, shownByExcel(text), false)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test('is never restored from another number of the same length', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[1-9][0-9]{8}$/),
        fc.stringMatching(/^[1-9][0-9]{8}$/),
        (one, other) => {
          fc.pre(one !== other);
          expect(restoreDamage(`+${one}`, other)).toBeUndefined();
          expect(restoreDamage(`0${one}`, `${other}.0`)).toBeUndefined();
        },
      ),
    );
  });

  test('ends quickly whatever stands in it', () => {
    const long = '1,234'.repeat(200_000);
    expect(restoreDamage(long, `${long}.0`)).toBeUndefined();
    expect(restoreDamage('1', long)).toBeUndefined();
    expect(restoreDamage('Jan', `1${' '.repeat(1_000_000)}`)).toBeUndefined();
  });
});

describe('a cell of a row that was invalid', () => {
  test.each([
    ['1.200', '1200'],
    ['1,200', '1200'],
    ['1e3', '1000'],
    ['1200.0', '1200'],
    ['1 200', '1200'],
  ])('%j corrected to %j stays corrected', (journaled, read) => {
    expect(restoreDamage(journaled, read, false)).toBeUndefined();
  });

  test.each([
    ['+254708123456', '2.54708E+11'],
    ['254708123456', '2.54708E+11'],
    ['0708123456', '708123456'],
    ['12-3', '12-Mar'],
    ['Ŋun', '?un'],
  ])('%j read back as %j has lost something, and is restored', (journaled, read) => {
    expect(restoreDamage(journaled, read, false)).toBe(journaled);
  });
});

describe('a row that comes back from a spreadsheet', () => {
  const columns: readonly FileColumn[] = [
    ['Staff No', 'paymentId'],
    ['Phone', 'phoneNumber'],
    ['Note', ''],
    ['Note', ''],
  ];
  const journaled = {
    columns,
    cells: ['007', '+254708123456', 'a', '0b'],
    sound: true,
    payeeInDoubt: false,
    outOfReach: true,
    country: '',
  };

  const restore = (row: JournaledCells, read: ReadCells, whole: readonly number[] = []) =>
    restoreCells(row, read, (index) => whole.includes(index));

  test('is restored cell by cell, and each restored cell is reported', () => {
    const read = { line: 9, columns, cells: ['7', '2.54708E+11', 'a', '0b'] };
    const restored = restore(journaled, read);
    expect(restored.cells).toEqual(journaled.cells);
    expect(restored.unchanged).toBe(true);
    expect(restored.repairs).toEqual([
      {
        line: 9,
        column: 'Staff No',
        code: 'spreadsheet-restored',
        message: 'A spreadsheet had made 7 of 007: restored.',
        from: '7',
        to: '007',
      },
      {
        line: 9,
        column: 'Phone',
        code: 'spreadsheet-restored',
        message: 'A spreadsheet had made 2.54708E+11 of +254708123456: restored.',
        from: '2.54708E+11',
        to: '+254708123456',
      },
    ]);
  });

  test('keeps what a person corrected beside it', () => {
    const restored = restore(journaled, { line: 9, columns, cells: ['7', '+254708999999', 'a', '0b'] });
    expect(restored.cells).toEqual(['007', '+254708999999', 'a', '0b']);
    expect(restored.unchanged).toBe(false);
  });

  test('is compared by its columns, in whatever order they stand and whatever a field is called', () => {
    const moved: FileColumn[] = [
      ['Note', ''],
      ['Mobile', 'phoneNumber'],
      ['Note', ''],
      ['Staff No', 'paymentId'],
    ];
    const restored = restore(journaled, {
      line: 9,
      columns: moved,
      cells: ['a', '254708123456', '0b', '7'],
    });
    expect(restored).toMatchObject({ cells: ['a', '+254708123456', '0b', '007'], unchanged: true });
  });

  test('keeps a correction of a row that was invalid, though a spreadsheet could have made it', () => {
    const invalid = { ...journaled, cells: ['007', '+254708123456', '1.200', ''], sound: false };
    const restored = restore(invalid, { line: 9, columns, cells: ['7', '+254708123456', '1200', ''] });
    expect(restored).toMatchObject({ cells: ['007', '+254708123456', '1200', ''], unchanged: false });
  });

  const damaged = { line: 9, columns, cells: ['7', '254708123456', 'a', '0b'] };
  const asked = (message: string) => [
    expect.objectContaining({ code: 'payee-cell-in-doubt', column: 'Phone', blocking: true, message }),
  ];
  const eitherValue =
    'Phone was +254708123456 and is now 254708123456. A spreadsheet changes it in this way, and so may somebody who corrects it; payrun does not guess who is paid. Write the right value between quotation marks: "+254708123456" if it is to stay, "254708123456" if it was corrected.';

  test.each([
    ['its payout came to nothing', { ...journaled, payeeInDoubt: true }, damaged],
    ['its payout was not sent yet', { ...journaled, outOfReach: false }, damaged],
    ['it was invalid', { ...journaled, sound: false }, damaged],
    ['another cell changed', journaled, { ...damaged, cells: ['7', '254708123456', 'b', '0b'] }],
    [
      'a column that counts is gone',
      {
        ...journaled,
        columns: [...columns, ['Bank', 'bankCode'] as const],
        cells: [...journaled.cells, '68'],
      },
      damaged,
    ],
  ])('asks whom it pays, and restores the rest, where %s', (_, row, read) => {
    const restored = restore(row, read);
    expect(restored.cells.slice(0, 2)).toEqual(['007', '254708123456']);
    expect(restored.repairs.map(({ column }) => column)).toEqual(['Staff No']);
    expect(restored.questions).toEqual(asked(eitherValue));
    expect(restored.unchanged).toBe(false);
  });

  test.each([
    ['its payout came to nothing', { payeeInDoubt: true }],
    ['its payout was not sent yet', { outOfReach: false }],
    ['it was invalid', { sound: false }],
  ])('asks nothing about a number that is the same without its plus or zero, where %s', (_, how) => {
    const row = { ...journaled, ...how, country: 'KE' };
    expect(restore(row, damaged)).toMatchObject({ cells: journaled.cells, questions: [], unchanged: true });
    const [was, now] = ['0708123456', '708123456'];
    const local = { ...row, cells: ['007', was, 'a', '0b'] };
    const noted = restore(local, { ...damaged, cells: ['7', now, 'another note', '0b'] });
    expect(noted).toMatchObject({ cells: ['007', was, 'another note', '0b'], questions: [] });
  });

  test('asks about a number that would be another, that has lost digits, or whose country was changed', () => {
    const row = { ...journaled, payeeInDoubt: true, country: 'KE' };
    const asks = (was: string, now: string, others: Partial<JournaledCells> = {}) =>
      restore(
        { ...row, cells: ['007', was, 'a', '0b'], ...others },
        { line: 9, columns, cells: ['7', now, 'a', '0b'] },
      ).questions.length;
    expect(asks('+254708123456', '2.54708E+11')).toBe(1);
    // Of a country that nobody knows no number can be told.
    expect(asks('0708123456', '708123456', { country: 'XX' })).toBe(1);
    const withCountry: FileColumn[] = [...columns, ['Country', 'country']];
    const moved = restore(
      { ...row, columns: withCountry, cells: ['007', '0708123456', 'a', '0b', 'KE'] },
      { line: 9, columns: withCountry, cells: ['7', '708123456', 'a', '0b', 'UG'] },
    );
    expect(moved.questions).toHaveLength(1);
  });

  test('asks nothing where neither value is a number that can be paid', () => {
    const row = { ...journaled, sound: false, country: 'KE', cells: ['007', '071239', 'a', '0b'] };
    const restored = restore(row, { line: 9, columns, cells: ['007', '71239', 'a', '0b'] });
    expect(restored).toMatchObject({ cells: row.cells, questions: [], unchanged: true });
  });

  test('is restored though its payout was not sent yet, where all of the column is damaged', () => {
    const restored = restore({ ...journaled, outOfReach: false }, damaged, [1]);
    expect(restored).toMatchObject({ cells: journaled.cells, questions: [], unchanged: true });
    const inDoubt = restore({ ...journaled, payeeInDoubt: true, outOfReach: false }, damaged, [1]);
    expect(inDoubt.questions).toEqual(asked(eitherValue));
  });

  test('offers no value that has lost digits', () => {
    const cells = ['007', '2.54708E+11', 'a', '0b'];
    const { questions } = restore({ ...journaled, payeeInDoubt: true }, { line: 9, columns, cells });
    expect(questions[0]?.message).toMatch(
      /marks: "\+254708123456" if it is to stay, or the new value with all its digits\.$/,
    );
  });

  test.each([
    ['"254708123456"', '254708123456', false],
    ['“254708123456”', '254708123456', false],
    ["'254708123456", '254708123456', false],
    ['="254708123456"', '254708123456', false],
    ['"+254708123456"', '+254708123456', true],
    ['+254708123456', '+254708123456', true],
  ])('takes %s for what a person says', (cell, value, unchanged) => {
    const read = { line: 9, columns, cells: ['7', cell, 'a', '0b'] };
    const restored = restore({ ...journaled, payeeInDoubt: true }, read);
    expect(restored).toMatchObject({ cells: ['007', value, 'a', '0b'], questions: [], unchanged });
  });

  test('is changed where a column is gone or a new one is filled', () => {
    const fewer = restore(journaled, {
      line: 9,
      columns: columns.slice(0, 3),
      cells: ['007', '+254708123456', 'a'],
    });
    expect(fewer.unchanged).toBe(false);
    const more: FileColumn[] = [...columns, ['Team', '']];
    const cells = (team: string) => [...journaled.cells, team];
    expect(restore(journaled, { line: 9, columns: more, cells: cells('blue') }).unchanged).toBe(false);
    expect(restore(journaled, { line: 9, columns: more, cells: cells('') }).unchanged).toBe(true);
  });
});

/** Eleven digits in full, more of them as a power of ten with five decimals. */
function shownByExcel(text: string): string {
  const digits = text.replace(/^\+?0*/, '');
  if (digits.length <= 11) return digits;
  const kept = digits.slice(0, 15).padEnd(digits.length, '0');
  const rounded = (BigInt(kept) + 5n * 10n ** BigInt(digits.length - 7)) / 10n ** BigInt(digits.length - 6);
  const mantissa = rounded.toString();
  const exponent = digits.length - 1 + (mantissa.length - 6);
  const decimals = mantissa.slice(1, 6).replace(/0+$/, '');
  return `${mantissa[0]}${decimals === '' ? '' : `.${decimals}`}E+${exponent}`;
}

describe('damage to a column', () => {
  const columns: readonly FileColumn[] = [['Account', 'accountNumber']];
  const isWhole = (...cells: readonly (readonly [was: string, now: string])[]) => {
    const damage = new ColumnDamage();
    for (const [was, now] of cells) {
      const row = { columns, cells: [was], sound: true, payeeInDoubt: false, outOfReach: false, country: '' };
      damage.add(comparedCells(row, { line: 2, columns, cells: [now] }));
    }
    return damage.isWhole(0);
  };

  test.each([
    [
      'every zero is gone',
      [
        ['0123', '123'],
        ['0456', '456'],
      ],
      true,
    ],
    [
      'a number that keeps its digits stands beside it',
      [
        ['0123', '123'],
        ['0456', '456'],
        ['789', '789'],
      ],
      true,
    ],
    [
      'a cell was changed beside it',
      [
        ['0123', '123'],
        ['0456', '456'],
        ['0789', '555'],
      ],
      true,
    ],
    ['one cell alone', [['0123', '123']], false],
    [
      'one cell, and empty ones',
      [
        ['0123', '123'],
        ['', ''],
        ['', ''],
      ],
      false,
    ],
    [
      'a zero stands',
      [
        ['0123', '123'],
        ['0456', '456'],
        ['0789', '0789'],
      ],
      false,
    ],
    [
      'a plus stands',
      [
        ['0123', '123'],
        ['0456', '456'],
        ['+254789', '+254789'],
      ],
      false,
    ],
    [
      'a long number stands beside shortened ones',
      [
        ['254708123456', '2.54708E+11'],
        ['254708123457', '2.54708E+11'],
        ['254708123458', '254708123458'],
      ],
      false,
    ],
  ] as const)('is that of a spreadsheet, or not, where %s', (_, cells, whole) => {
    expect(isWhole(...cells)).toBe(whole);
  });
});
