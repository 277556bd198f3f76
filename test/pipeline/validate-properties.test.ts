import { readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { referenceOf } from '../../src/domain/reference.ts';
import { PayrunError } from '../../src/errors.ts';
import type { JournalDatabase } from '../../src/journal/journal-database.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import type { DraftOptions } from '../../src/pipeline/draft/draft-options.ts';
import { draftFile } from '../../src/pipeline/draft-file.ts';
import { draftDefaults } from '../support/draft-options.ts';

interface Payment {
  readonly paymentId: string;
  readonly accountName: string;
  readonly country: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly phoneNumber: string;
  readonly narration: string;
}

/** Letters that all of the encodings have. */
const words = fc
  .array(
    fc.constantFrom(
      'Achieng',
      'Renée',
      'Ñandú',
      'O’Neil',
      'Mary-Ann',
      'wa',
      'Müller',
      'ole "Bob"',
      'A, B; C|D',
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((chosen) => chosen.join(' '));
const places = {
  KE: { currency: 'KES', decimals: 2, phone: '+25471' },
  GH: { currency: 'GHS', decimals: 2, phone: '+23324' },
  RW: { currency: 'RWF', decimals: 0, phone: '+25078' },
  SN: { currency: 'XOF', decimals: 0, phone: '+22177' },
} as const;

/** Different people: every payment has an id and a number of its own. */
const payments: fc.Arbitrary<Payment[]> = fc
  .array(
    fc.record({
      country: fc.constantFrom(...(Object.keys(places) as (keyof typeof places)[])),
      accountName: words,
      amountMinor: fc.bigInt({ min: 1n, max: 999_999_999_999_999n }),
      narration: fc.oneof(fc.constant(''), words),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((people) =>
    people.map((person, index) => ({
      ...person,
      paymentId: `P-${index + 1}`,
      currency: places[person.country].currency,
      phoneNumber: `${places[person.country].phone}${1234500 + index}`,
    })),
  );

interface Dialect {
  readonly delimiter: string;
  readonly lineEnd: string;
  readonly encoding: keyof typeof encoders;
  readonly quoteAll: boolean;
  readonly decimal: '.' | ',';
  readonly grouping: string;
  readonly total: boolean;
}

const encoders = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-8 with mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'utf-16le with mark': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be with mark': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'windows-1252': (text: string) => Buffer.from(text.replaceAll('’', '\x92'), 'latin1'),
};

const dialect: fc.Arbitrary<Dialect> = fc
  .record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    encoding: fc.constantFrom(...(Object.keys(encoders) as (keyof typeof encoders)[])),
    quoteAll: fc.boolean(),
    decimal: fc.constantFrom('.' as const, ',' as const),
    grouping: fc.constantFrom('', ' ', '\u00a0', "'", 'other'),
    total: fc.boolean(),
  })
  .map((chosen) => ({
    ...chosen,
    grouping: chosen.grouping === 'other' ? (chosen.decimal === '.' ? ',' : '.') : chosen.grouping,
  }));

function write(rows: readonly Payment[], how: Dialect): Buffer {
  const quoted = (text: string) =>
    how.quoteAll || /["\r\n]/.test(text) || text.includes(how.delimiter)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const line = (cells: readonly string[]) => cells.map(quoted).join(how.delimiter) + how.lineEnd;
  const head = ['Staff No', 'Name', 'Country', 'Currency', 'Net Pay', 'MSISDN', 'Remarks'];
  const lines = rows.map((row) => [
    row.paymentId,
    row.accountName,
    row.country,
    row.currency,
    amountText(row.amountMinor, 2, how),
    row.phoneNumber,
    row.narration,
  ]);
  const sum = rows.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  if (how.total) lines.push(['Total', '', '', '', amountText(sum, 2, how), '', '']);
  return encoders[how.encoding]([head, ...lines].map(line).join(''));
}

function amountText(minor: bigint, decimals: number, { decimal, grouping }: Dialect): string {
  const digits = minor.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, grouping);
  return `${whole}${decimal}${digits.slice(digits.length - decimals)}`;
}

async function drafted<Value>(
  bytes: Buffer,
  options: Partial<DraftOptions>,
  look: (parts: Awaited<ReturnType<typeof draftFile>>, db: JournalDatabase) => Value,
): Promise<Value> {
  const db = openEmptyJournal();
  try {
    return look(await draftFile(db, Readable.from([bytes]), { ...draftDefaults, ...options }), db);
  } finally {
    db.close();
  }
}

interface StoredRow {
  readonly key: string;
  readonly reference: string;
  readonly accountName: string;
  readonly country: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly number: string;
  readonly narration: string;
}

function rowsOf(db: JournalDatabase): StoredRow[] {
  return db
    .prepare<[], StoredRow>(
      `SELECT key, reference, account_name AS accountName, country, currency, amount, number, narration
       FROM draft.rows WHERE valid = 1 ORDER BY position`,
    )
    .safeIntegers()
    .all();
}

/** In currencies without decimals a whole number of units is written, with zeros behind the sign. */
function payable(rows: readonly Payment[]): Payment[] {
  return rows.map((row) => ({
    ...row,
    amountMinor: decimalsOf(row) === 0 ? (row.amountMinor / 100n + 1n) * 100n : row.amountMinor,
  }));
}

function decimalsOf({ currency }: Payment): number {
  return Object.values(places).find((place) => place.currency === currency)?.decimals ?? 2;
}

function expectedMinor(row: Payment): bigint {
  return decimalsOf(row) === 0 ? row.amountMinor / 100n : row.amountMinor;
}

const timeoutMs = 60_000;

describe('whatever the dialect of a file', () => {
  test(
    'its payments read back as they were written, and their sums are exact',
    async () => {
      await fc.assert(
        fc.asyncProperty(payments, dialect, async (people, how) => {
          const rows = payable(people).map((row) => ({
            ...row,
            amountMinor: row.amountMinor % 10n ** 15n || 100n,
          }));
          await drafted(write(rows, how), {}, ({ questions }, db) => {
            expect([...questions.problems()].filter(({ blocking }) => blocking)).toEqual([]);
            expect(rowsOf(db).map(({ reference, ...row }) => row)).toEqual(
              rows.map(({ paymentId, phoneNumber, amountMinor, ...row }) => ({
                ...row,
                key: paymentId,
                number: phoneNumber,
                amount: expectedMinor({ ...row, paymentId, phoneNumber, amountMinor }),
              })),
            );
            const sums = new Map<string, bigint>();
            for (const row of rows) {
              sums.set(row.currency, (sums.get(row.currency) ?? 0n) + expectedMinor(row));
            }
            const totals = questions.totals('currency');
            expect(new Map(totals.map(({ currency, amountMinor }) => [currency, amountMinor]))).toEqual(sums);
          });
        }),
        { numRuns: 50 },
      );
    },
    timeoutMs,
  );

  test(
    'the order of its rows changes no reference',
    async () => {
      const shuffled = payments.chain((rows) =>
        fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
      );
      const plain: Dialect = {
        delimiter: ',',
        lineEnd: '\n',
        encoding: 'utf-8',
        quoteAll: false,
        decimal: '.',
        grouping: '',
        total: false,
      };
      const references = (rows: readonly Payment[]) =>
        drafted(write(payable(rows), plain), { batch: 'november' }, (_, db) =>
          Object.fromEntries(rowsOf(db).map(({ key, reference }) => [key, reference])),
        );
      await fc.assert(
        fc.asyncProperty(shuffled, async ([rows, others]) => {
          const found = await references(rows);
          expect(await references(others)).toEqual(found);
          expect(found).toEqual(
            Object.fromEntries(
              rows.map(({ paymentId }) => [paymentId, referenceOf('november', 'paymentId', paymentId, 1)]),
            ),
          );
        }),
        { numRuns: 20 },
      );
    },
    timeoutMs,
  );
});

test('a sum is exact beyond what a number in SQL or a float can hold', async () => {
  const most = '9999999999999.99';
  const count = 9_300;
  const lines = Array.from(
    { length: count },
    (_, index) => `P${index},Mary Wanjiku ${index},KE,KES,${most},+2547${String(12_000_000 + index)}`,
  );
  const head = 'paymentId,accountName,country,currency,amount,phoneNumber';
  await drafted(Buffer.from(`${head}\n${lines.join('\n')}\n`), {}, ({ questions }) => {
    expect(questions.counts()).toMatchObject({ rows: count, valid: count, blocking: 0 });
    const [total] = questions.totals('currency');
    expect(total?.amountMinor).toBe(999_999_999_999_999n * BigInt(count));
    expect(total?.amountMinor).toBeGreaterThan(2n ** 63n);
  });
});

describe('no input makes validating crash or hang', () => {
  const folders = ['../fixtures/files/', '../../samples/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const samples = folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.json'))
      .map(({ name }) => readFileSync(folder + name)),
  );
  const options: fc.Arbitrary<Partial<DraftOptions>> = fc.record(
    {
      encoding: fc.constantFrom('utf-8', 'utf-16le', 'windows-1252'),
      delimiter: fc.constantFrom('comma', 'semicolon', 'tab', 'pipe'),
      decimal: fc.constantFrom('point', 'comma'),
      defaults: fc.constantFrom(
        ['country=KE', 'currency=KES'],
        ['country=NG', 'currency=NGN', 'bankCode=58'],
      ),
      batch: fc.constantFrom('november', 'pay {yyyy}-{MM}', '\x1b[2J', ''),
      allowShared: fc.nat(3),
    },
    { requiredKeys: [] },
  );
  const piece = fc.constantFrom(
    '"',
    '\r',
    '\0',
    '\u001b[2J',
    '\ufeff',
    '😀',
    '\ud800',
    '1e999',
    '-',
    '٣',
    "'=1+1",
    'payrun_batch',
    '9'.repeat(400),
    ',,,,,,,,',
    'Total,',
    '\n',
  );

  const slip = /undefined|NaN|\[object/;

  async function validateJunk(bytes: Buffer, chosen: Partial<DraftOptions>): Promise<void> {
    /** Messages quote the file: what it says itself is no slip of ours. */
    const ownWords = slip.test(bytes.toString('latin1').replaceAll('\0', ''));
    try {
      await drafted(bytes, chosen, ({ questions }, db) => {
        const { rows, valid, blocking } = questions.counts();
        expect(rowsOf(db)).toHaveLength(valid);
        if (valid < rows || rows === 0) expect(blocking).toBeGreaterThan(0);
        for (const { message, value } of questions.problems()) {
          if (!ownWords) expect(message).not.toMatch(slip);
          expect(value.length).toBeLessThanOrEqual(1000);
        }
      });
    } catch (error) {
      if (!(error instanceof PayrunError)) throw error;
    }
  }

  test('not a payment that one of our own files names twice, where neither line can be paid', async () => {
    const results = 'Name,Phone,Amount,Country,Currency,payrun_batch,payrun_key,payrun_reference';
    const line = 'Mary Wanjiku,none,1000.00,KE,KES,november,KE:momo:+254712000001,1c2b2a5e';
    await drafted(Buffer.from(`${results}\n${line}\n${line}\n`), {}, ({ questions }) => {
      const duplicates = [...questions.problems()].filter(({ code }) => code === 'duplicate-payee');
      expect(duplicates.map(({ line: at, value }) => [at, value])).toEqual([
        [2, 'KE:momo:+254712000001'],
        [3, 'KE:momo:+254712000001'],
      ]);
    });
  });

  test(
    'not real files with bytes changed, cut or put in',
    async () => {
      const damage = fc.record({
        sample: fc.nat(samples.length - 1),
        changes: fc.array(fc.tuple(fc.nat(1500), fc.nat(255)), { maxLength: 6 }),
        inserted: fc.array(fc.tuple(fc.nat(1500), piece), { maxLength: 3 }),
        until: fc.nat(5000),
        again: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(damage, options, async ({ sample, changes, inserted, until, again }, chosen) => {
          let bytes = Buffer.from(samples[sample] ?? Buffer.alloc(0));
          for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
          for (const [at, text] of inserted) {
            bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at)]);
          }
          const cut = bytes.subarray(0, until);
          await validateJunk(again ? Buffer.concat([cut, cut]) : cut, chosen);
        }),
        { numRuns: 100 },
      );
    },
    timeoutMs,
  );

  test(
    'not a cell of any text whatever, in any column',
    async () => {
      const head = 'paymentId,firstName,lastName,country,currency,amount,destination,phoneNumber,operator';
      const columns = `${head},accountNumber,bankCode,branchCode,debitCurrency,debitCountry,narration`.split(
        ',',
      );
      const base = [
        'P1',
        'Mary',
        'Wanjiku',
        'KE',
        'KES',
        '100.00',
        '',
        '+254712345678',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
      ];
      const cell = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 20 }),
        piece,
        fc.constantFrom('NG', 'UG', '058'),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(base.length - 1), cell), { maxLength: 5 }),
          async (changed) => {
            const cells = [...base];
            for (const [at, text] of changed) cells[at] = text;
            const line = cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
            await validateJunk(Buffer.from(`${columns.join(',')}\n${line}\n`), {});
          },
        ),
        { numRuns: 100 },
      );
    },
    timeoutMs,
  );
});
