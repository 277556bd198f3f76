import { readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PayrunError } from '../../src/errors.ts';
import { readRows } from '../../src/pipeline/1-read-rows.ts';
import type { ReadRowsOptions } from '../../src/pipeline/draft/draft-options.ts';
import { collectRows } from './collect.ts';

const folder = fileURLToPath(new URL('../fixtures/files/', import.meta.url));
const samples = readdirSync(folder).map((file) => readFileSync(folder + file));

const options: fc.Arbitrary<ReadRowsOptions> = fc.record(
  {
    encoding: fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'windows-1252'),
    delimiter: fc.constantFrom('comma', 'semicolon', 'tab', 'pipe'),
    decimal: fc.constantFrom('point', 'comma'),
    map: fc.constantFrom(['Name=accountName'], ['#1=amount'], []),
    defaults: fc.constantFrom(['country=KE'], ['country=KE', 'currency=KES', 'bankCode=68']),
  },
  { requiredKeys: [] },
);

/** Pieces that make a parser stumble far more often than chance would. */
const piece = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .constantFrom(
      '"',
      '""',
      '\r',
      '\n',
      '\r\n',
      ',',
      ';',
      '\t',
      '|',
      '\0',
      '\ufeff',
      'é',
      '😀',
      'Total,',
      '=',
      '1,200',
      ' ',
    )
    .map((text) => Buffer.from(text)),
  fc
    .constantFrom('name,phone,amount,country,currency\n', 'Name;Phone;Amount;Country;Currency\r\n')
    .map((text) => Buffer.from(text)),
  fc
    .constantFrom('A B,+254712345678,100.00,KE,KES\n', '"A\nB",0712345678,"1,200.50",KE,KES\r')
    .map((text) => Buffer.from(text)),
  fc.constantFrom(Buffer.from([0xff, 0xfe]), Buffer.from([0xe9]), Buffer.from([0xc3]), Buffer.from([0x81])),
);

async function readJunk(chunks: readonly Uint8Array[], chosen: ReadRowsOptions): Promise<void> {
  try {
    const reading = await readRows(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), chosen);
    const rows = await collectRows(reading);
    expect(reading.facts.rowCount).toBe(rows.length);
    const lines = rows.map(({ line }) => line);
    expect(lines).toEqual([...new Set(lines)].sort((one, other) => one - other));
    // Nothing is passed over in silence: a file without rows, or one that was not read to its end, is refused.
    if (rows.length === 0 || !reading.facts.complete) {
      expect(reading.problems.some(({ blocking }) => blocking)).toBe(true);
    }
    expect(reading.problems.every(({ value }) => value.length <= 1000)).toBe(true);
  } catch (error) {
    if (!(error instanceof PayrunError)) throw error;
  }
}

const timeoutMs = 60_000;

describe('no bytes whatever make a reading crash or hang', () => {
  test(
    'not bytes by chance',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6 }), options, readJunk),
        { numRuns: 300 },
      );
    },
    timeoutMs,
  );

  test(
    'not the pieces of payrolls in any order',
    async () => {
      await fc.assert(fc.asyncProperty(fc.array(piece, { maxLength: 40 }), options, readJunk), {
        numRuns: 300,
      });
    },
    timeoutMs,
  );

  test(
    'not real files with a few bytes changed, cut or doubled',
    async () => {
      const damage = fc.record({
        sample: fc.nat(samples.length - 1),
        changes: fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { maxLength: 8 }),
        from: fc.nat(400),
        until: fc.nat(4000),
        again: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(damage, options, async ({ sample, changes, from, until, again }, chosen) => {
          const bytes = Buffer.from(samples[sample] ?? Buffer.alloc(0));
          for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
          const cut = bytes.subarray(from % 7 === 0 ? from : 0, until);
          await readJunk(again ? [cut, cut] : [cut], chosen);
        }),
        { numRuns: 300 },
      );
    },
    timeoutMs,
  );
});
