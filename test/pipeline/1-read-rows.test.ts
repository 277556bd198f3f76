import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readRows } from '../../src/pipeline/1-read-rows.ts';
import type { ReadRowsOptions } from '../../src/pipeline/draft/draft-options.ts';
import { collectRows } from '../file/collect.ts';

const header = 'accountName,country,currency,amount,phoneNumber,narration\n';
const row = (number: number, narration = 'pay') =>
  `Wanjiku Kamau,KE,KES,100.00,+2547120${10000 + number},${narration}\n`;

async function read(source: string | readonly string[] | Buffer, options?: ReadRowsOptions) {
  const chunks = typeof source === 'string' || Buffer.isBuffer(source) ? [source] : source;
  const reading = await readRows(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), options);
  const rows = await collectRows(reading);
  return { ...reading, rows, header: reading.header, facts: reading.facts, problems: reading.problems };
}

const codesOf = ({
  problems,
}: {
  readonly problems: readonly { readonly code: string; readonly line: number }[];
}) => problems.map(({ code, line }) => `${line} ${code}`);

describe('a file that cannot be opened', () => {
  test.each([
    ['a missing file', `${tmpdir()}/no-such-payroll.csv`, /There is no file/],
    ['a folder', tmpdir(), /is a folder/],
  ])('is refused with exit 66: %s', async (_, path, message) => {
    await expect(readRows(path)).rejects.toMatchObject({
      name: 'PayrunError',
      code: 'file-missing',
      exit: 66,
      message: expect.stringMatching(message),
    });
  });

  test('is refused alike when reading fails half way', async () => {
    async function* failing() {
      yield Buffer.from(header);
      for (let number = 0; number < 5000; number += 1) yield Buffer.from(row(number));
      throw Object.assign(new Error('read failed'), { code: 'EIO' });
    }
    const reading = await readRows(Readable.from(failing()));
    const drained = collectRows(reading);
    await expect(drained).rejects.toMatchObject({ name: 'PayrunError', exit: 66 });
  });
});

describe('a reading', () => {
  test('tells its facts only when the last row was taken', async () => {
    const reading = await readRows(Readable.from([Buffer.from(header + row(1))]));
    expect(() => reading.facts).toThrow(/when all its rows were read/);
    await collectRows(reading);
    expect(reading.facts.rowCount).toBe(1);
  });

  test('lets go of its source when the reader stops early', async () => {
    const source = Readable.from([Buffer.from(header + row(1) + row(2).repeat(100))]);
    const reading = await readRows(source);
    for await (const _ of reading.pages) break;
    expect(source.destroyed).toBe(true);
  });

  test('takes our marks away from the names of columns too, in a file of ours', async () => {
    const text = `'=note,${header.trim()},payrun_batch\n'=x,${row(1).trim()},november\n`;
    expect((await read(text)).header?.columns[0]).toBe('=note');
    const others = await read(text.replaceAll(',payrun_batch', '').replaceAll(',november', ''));
    expect(others.header?.columns[0]).toBe("'=note");
    expect(others.rows[0]?.cells[0]).toBe("'=x");
  });

  test('names the columns as a config can keep them', async () => {
    const text =
      'Name,Phone,Amount,Country,Currency,Amount\nWanjiku Kamau,+254712345678,100.00,KE,KES,120.00\n';
    const reading = await read(text, { map: ['#6=amount'] });
    expect(reading.rows[0]?.values.amount).toBe('120.00');
    expect(reading.header?.savedColumns).toEqual({
      '#6': 'amount',
      Name: 'accountName',
      Phone: 'phoneNumber',
      Country: 'country',
      Currency: 'currency',
    });
  });
});

describe('text that is not what its beginning promised', () => {
  const many = Array.from({ length: 1500 }, (_, index) => row(index)).join('');

  test('is read as Windows-1252 from the first such letter on, if all before was plain', async () => {
    const late = Buffer.from(row(1).replace('Wanjiku', 'Ren\xe9'), 'latin1');
    const reading = await read(Buffer.concat([Buffer.from(header + many), late, late]));
    expect(reading.rows.slice(-2).map(({ values }) => values.accountName)).toEqual([
      'René Kamau',
      'René Kamau',
    ]);
    expect(codesOf(reading)).toEqual(['1502 encoding-assumed']);
    expect(reading.facts).toMatchObject({ complete: true, encoding: 'windows-1252', rowCount: 1502 });
  });

  test('stops the file if there were letters in UTF-8 before', async () => {
    const early = row(0).replace('Wanjiku', 'Aïssatou');
    const late = Buffer.from(row(1).replace('Wanjiku', 'Ren\xe9'), 'latin1');
    const reading = await read(Buffer.concat([Buffer.from(header + early + many), late]));
    expect(codesOf(reading)).toEqual(['1503 encoding-mixed']);
    expect(reading.rows).toHaveLength(1501);
    expect(reading.facts).toMatchObject({ complete: false });
    expect(reading.problems[0]?.message).toMatch(/^Line 2 is written in UTF-8 and line 1503 is not/);
  });

  test('stops the file if letters in UTF-8 come behind others', async () => {
    const early = Buffer.from(row(0).replace('Wanjiku', 'Ren\xe9'), 'latin1');
    const late = row(1).replace('Wanjiku', 'Aïssatou');
    const reading = await read(Buffer.concat([Buffer.from(header), early, Buffer.from(many + late)]));
    expect(codesOf(reading)).toEqual(['2 encoding-assumed', '1503 encoding-mixed']);
  });

  test('keeps letters whole that two chunks share', async () => {
    const text = Buffer.from(header + row(1).replace('Wanjiku', 'Aïssatou Ɛdem 😀'));
    for (let cut = header.length; cut < header.length + 25; cut += 1) {
      const reading = await readRows(Readable.from([text.subarray(0, cut), text.subarray(cut)]));
      const rows = await collectRows(reading);
      expect(rows[0]?.values.accountName).toBe('Aïssatou Ɛdem 😀 Kamau');
      expect(reading.problems).toEqual([]);
    }
  });
});

describe('limits', () => {
  async function* endless(text: string) {
    yield Buffer.from(header + row(1));
    const chunk = Buffer.from(text.repeat(64 * 1024));
    for (;;) yield chunk;
  }

  test.each([
    ['an endless line', 'x', '3 record-too-long'],
    ['an endless line of empty cells', ',', '3 record-too-long'],
    ['an endless quoted cell', '"', '3 record-too-long'],
    ['an endless text of small cells over many lines', ',"\n"', '3 record-too-long'],
  ])('end %s from a pipe in a problem', async (_, text, code) => {
    const reading = await readRows(Readable.from(endless(text)));
    const rows = await collectRows(reading);
    expect(rows.map(({ line }) => line)).toEqual([2]);
    expect(codesOf(reading)).toContain(code);
    expect(reading.facts.complete).toBe(false);
  });

  test('name the line where a quote was opened, however much it swallowed', async () => {
    const reading = await read([header, row(1), row(2, '"open'), row(3).repeat(40_000)]);
    expect(codesOf(reading)).toEqual(['3 quote-unclosed']);
    expect(reading.rows).toHaveLength(1);
  });

  test('refuse a cell of more than 100 KiB, and the others are read', async () => {
    const reading = await read(header + row(1) + row(2, 'x'.repeat(101 * 1024)) + row(3));
    expect(codesOf(reading)).toEqual(['3 cell-too-large']);
    expect(reading.rows).toHaveLength(3);
    expect(reading.problems[0]?.value.length).toBeLessThanOrEqual(80);
  });

  test('refuse more than a thousand columns', async () => {
    const reading = await read(`${header.trim()}${',x'.repeat(1000)}\n${row(1)}`);
    expect(codesOf(reading)).toEqual(['1 too-many-columns']);
  });

  test('keep ten thousand problems of a kind and count the rest', async () => {
    const bad = row(1).replace('\n', ',extra\n');
    const reading = await read([header, bad.repeat(10_005)]);
    expect(reading.problems).toHaveLength(10_000);
    expect(reading.facts.problemCounts).toEqual({ blocking: 10_005, warnings: 0 });
    expect(reading.rows.every(({ problems }) => problems.length === 1)).toBe(true);
  });

  test('never let warnings push out a blocking problem', async () => {
    const stray = row(1, 'a "b" c');
    const reading = await read([header, stray.repeat(10_005), row(2).replace('\n', ',extra\n')]);
    expect(reading.problems.filter(({ blocking }) => blocking).map(({ code }) => code)).toEqual([
      'row-too-many-cells',
    ]);
  });

  test('hold back no more than fifty lines below the table', async () => {
    const reading = await read(`${header}${row(1)}${'Prepared by: somebody,,,,,\n'.repeat(60)}`);
    expect(reading.rows).toHaveLength(52);
  });
});

describe('options', () => {
  test.each([
    [{ map: ['Gross=amount'] }, /no column "Gross".*"accountName", "country"/],
    [{ map: ['amount=sum'] }, /"sum" is not a field. The fields are: paymentId,/],
    [{ map: ['amount'] }, /takes a column and a field/],
    [{ map: ['amount=amount', 'country=amount'] }, /two columns for amount/],
    [{ map: ['amount=amount', 'Amount=narration'] }, /"Amount" twice/],
    [{ defaults: ['land=KE'] }, /"land" is not a field/],
    [{ defaults: ['country='] }, /takes a field and a value/],
    [{ defaults: ['paymentId=A'] }, /paymentId cannot have a default: it tells the payments apart/],
    [{ defaults: ['country=KE', 'country=UG'] }, /two values for country/],
    [{ encoding: 'ebcdic' }, /Use one of: utf-8/],
    [{ delimiter: 'x' }, /Use one of: comma/],
  ])('that cannot be are a usage error: %j', async (options, message) => {
    await expect(read(header + row(1), options)).rejects.toMatchObject({
      name: 'PayrunError',
      exit: 2,
      message: expect.stringMatching(message),
    });
  });

  test('of a config that name no field are a configuration error', async () => {
    await expect(read(header + row(1), { config: { columns: { Pay: 'sum' } } })).rejects.toMatchObject({
      exit: 78,
    });
    await expect(read(header + row(1), { config: { defaults: { paymentId: 'A' } } })).rejects.toMatchObject({
      exit: 78,
      message: expect.stringContaining('paymentId cannot have a default'),
    });
    await expect(read(header + row(1), { config: { defaults: { land: 'KE' } } })).rejects.toMatchObject({
      exit: 78,
    });
  });

  describe('a column called country_code', () => {
    const file = (...codes: string[]) =>
      `accountName,country_code,currency,amount,phoneNumber\n${codes
        .map((code, index) => `Wanjiku Kamau,${code},KES,100.00,071234567${index}\n`)
        .join('')}`;

    test.each([[['KE', 'UG']], [['ke', '']], [['KEN', 'KE']], [['KE', 'FR']]])(
      'is the country where its cells are codes of countries: %j',
      async (codes) => {
        const { header, problems } = await read(file(...codes));
        expect(header?.fieldColumns.country).toBe(1);
        expect(problems.map(({ code }) => code)).toEqual([]);
      },
    );

    test.each([[['254', '256']], [['KE', '256']], [['+254']], [['Kenya']], [['', '']], [['XX', 'QQ']]])(
      'is only offered where they may be anything else: %j',
      async (codes) => {
        const { header, problems } = await read(file(...codes));
        expect(header?.fieldColumns.country).toBeUndefined();
        expect(problems.map(({ code }) => code)).toContain('header-offered');
      },
    );

    test('is not asked where a person has named the country, by a column or a default', async () => {
      const given = await read(file('KE', 'UG'), { defaults: ['country=KE'] });
      expect(given.header).toMatchObject({ defaults: { country: 'KE' } });
      expect(given.header?.fieldColumns.country).toBeUndefined();
      const beside = await read(`country,${file('KE')}`.replace('\n', '\n').replace(/\nW/g, '\nUG,W'));
      expect(beside.header?.fieldColumns.country).toBe(0);
    });
  });

  test('given as flags go before the config', async () => {
    const text = 'Name,Phone,Net Pay,Gross Pay\nWanjiku Kamau,+254712345678,100.00,150.00\n';
    const reading = await read(text, {
      map: ['Gross Pay=amount'],
      defaults: ['country=KE'],
      config: { columns: { 'Net Pay': 'amount' }, defaults: { country: 'UG', currency: 'KES', amount: '1' } },
    });
    expect(reading.problems).toEqual([]);
    expect(reading.header?.defaults).toEqual({ country: 'KE', currency: 'KES' });
    expect(reading.rows[0]?.values).toMatchObject({ amount: '150.00', country: 'KE', currency: 'KES' });
  });

  test('never fill an empty cell with a default', async () => {
    const text = 'Name,Phone,Amount,Country,Currency\nWanjiku Kamau,+254712345678,100.00,,KES\n';
    const reading = await read(text, { defaults: ['country=KE'] });
    expect(reading.rows[0]?.values.country).toBe('');
    expect(codesOf(reading)).toEqual(['1 default-unused']);
  });

  test('say which decimals a doubtful total has', async () => {
    const text = `${header}${row(1).replace('100.00', '"1,200"')}Total,,,"1.200",,\n`;
    expect((await read(text)).facts.controlTotals).toMatchObject([{ equal: false }]);
    const same = text.replace('1.200', '1,200');
    expect((await read(same, { decimal: 'comma' })).facts.controlTotals).toMatchObject([
      { equal: true, sum: '1.20' },
    ]);
    expect((await read(same, { decimal: 'point' })).facts.controlTotals).toMatchObject([
      { equal: true, sum: '1200' },
    ]);
  });
});
