import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from '../../src/pipeline/results/results-text.ts';

test('a line of the results is what the library writes, also where nothing needs quotes', () => {
  const signs = ['a', '7', 'é', ' ', ',', ';', '\t', '|', '"', '\r', '\n', "'", '=', '\\', '\ufeff'];
  const cell = fc.array(fc.constantFrom(...signs), { maxLength: 4 }).map((each) => each.join(''));
  const cells = fc.array(fc.oneof(fc.constantFrom('', 'paid', '12.50'), cell), {
    minLength: 2,
    maxLength: 6,
  });
  fc.assert(
    fc.property(cells, fc.constantFrom(',', ';', '\t', '|'), (row, delimiter) => {
      const options = { delimiter, record_delimiter: '\r\n', quoted_match: /[\r\n]/ };
      expect(csvLine(row, delimiter)).toBe(stringify([row], options));
    }),
    { numRuns: 1000 },
  );
});
