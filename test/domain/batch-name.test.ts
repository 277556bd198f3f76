import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchNameFromFile, fillBatchPattern, parseBatchName } from '../../src/domain/batch-name.ts';

describe('a batch name', () => {
  test.each([
    ['payroll-2026-11', 'payroll-2026-11'],
    ['  November   payroll ', 'November payroll'],
    ['Paie_nov.2026', 'Paie_nov.2026'],
    ['Salaires Décembre', 'Salaires Décembre'],
    ['De\u0301cembre', 'Décembre'],
    ['7', '7'],
  ])('%s is %s', (text, name) => {
    expect(parseBatchName(text)).toEqual({ name });
  });

  test.each([
    '',
    ' ',
    '..',
    '.hidden',
    '-rf',
    '../etc/passwd',
    'a/b',
    'a\\b',
    'a:b',
    'a\u0000b',
    'pay*',
    '{MM}',
    '٣',
    'x'.repeat(101),
    'x'.repeat(100_000),
  ])('%j is none, and the problem says why', (text) => {
    expect(parseBatchName(text)).toEqual({ problem: expect.stringMatching(/^The batch name .*\.$/) });
  });

  test('whatever passes is no path and passes again as itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const reading = parseBatchName(text);
        if (!('name' in reading)) return;
        expect(reading.name).not.toMatch(/[/\\\p{Cc}]|^\./u);
        expect(parseBatchName(reading.name)).toEqual(reading);
      }),
    );
  });
});

describe('from a file name', () => {
  test.each([
    ['payroll.csv', 'payroll'],
    ['/home/pay/2026-11/November.2026.csv', 'November.2026'],
    ['C:\\pay\\November.csv', 'November'],
    ['Payroll (November).csv', 'Payroll November'],
    ['payroll', 'payroll'],
    ['De\u0301cembre.csv', 'Décembre'],
    ['.payroll.csv', 'payroll'],
    ['--payroll.csv', 'payroll'],
  ])('%s is %s', (path, name) => {
    expect(batchNameFromFile(path)).toEqual({ name });
  });

  test.each(['???.csv', '', '/', '...'])('%j gives none', (path) => {
    expect(batchNameFromFile(path)).toHaveProperty('problem');
  });
});

describe('a pattern is filled with the date in a time zone', () => {
  test.each([
    ['payroll-{yyyy}-{MM}', '2026-11-15T12:00:00Z', 'UTC', 'payroll-2026-11'],
    ['{dd}.{MM}.{yyyy}', '2026-03-01T00:30:00Z', 'Africa/Nairobi', '01.03.2026'],
    ['{yyyy}-{MM}-{dd}', '2026-10-31T22:30:00Z', 'Africa/Nairobi', '2026-11-01'],
    ['{yyyy}-{MM}-{dd}', '2026-10-31T22:30:00Z', 'America/New_York', '2026-10-31'],
    ['{yyyy}-{MM}-{dd}', '2028-02-29T23:59:59Z', 'Africa/Lagos', '2028-03-01'],
    ['{yyyy}-{MM}-{dd}', '2028-02-29T12:00:00Z', 'Africa/Lagos', '2028-02-29'],
    ['{MM}{MM} plain {other}', '2026-01-05T12:00:00Z', 'UTC', '0101 plain {other}'],
  ])('%s on %s in %s is %s', (pattern, now, timeZone, filled) => {
    expect(fillBatchPattern(pattern, Date.parse(now), timeZone)).toBe(filled);
  });
});
