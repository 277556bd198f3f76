import { expect, test } from 'vitest';
import { openMirror } from '../../../src/journal/shared/mirror.ts';
import { mirroredTables } from '../../../src/journal/shared/mirrored-tables.ts';
import { growsTooFast } from '../../support/growth.ts';

test('what is touched in one commit is noted and handed on in a time that grows with it, and not with its square', () => {
  const write = (rows: number) => () => {
    const mirror = openMirror();
    mirror.watch();
    const insert = mirror.db.prepare('INSERT INTO facts (key, value) VALUES (?, ?)');
    mirror.db.transaction(() => {
      for (let row = 0; row < rows; row += 1) insert.run(`fact ${row}`, '1');
    })();
    const told = [...mirror.touched()].map((piece) => JSON.parse(piece).facts.put.length);
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(rows);
    mirror.db.close();
  };
  expect(growsTooFast(write, { largest: 64_000, noiseMs: 200 })).toBe(false);
});

test.each(mirroredTables)('whether a row of $name is noted already is found by its key', ({ name, key }) => {
  const { db } = openMirror();
  const isSame = key.map((column) => `touched.${column} = own.${column}`).join(' AND ');
  const plan = db
    .prepare<[], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT 1 FROM main.${name} AS own CROSS JOIN touched_${name} AS touched WHERE ${isSame}`,
    )
    .all();
  expect(plan.at(-1)?.detail).toMatch(/^SEARCH touched USING/);
  db.close();
});
