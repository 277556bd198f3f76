import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { billOfMaterials, type Lockfile } from '../../scripts/bill-of-materials.ts';

test('the bill of materials names every package that ships, and no tool of development', () => {
  const lock = JSON.parse(
    readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
  ) as Lockfile;
  const shipped = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
  const { components } = JSON.parse(billOfMaterials()) as { components: { 'bom-ref': string }[] };
  const named = components.map((component) => component['bom-ref'].replace(/^.*\|/, ''));
  expect(shipped.length).toBeGreaterThan(10);
  expect([...new Set(named)].sort()).toEqual([...new Set(shipped)].sort());
});
