import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generatedTables, withTables } from '../../scripts/generated-tables.ts';

describe('the docs', () => {
  for (const [name, tables] of Object.entries(generatedTables())) {
    test(`docs/${name} shows what the code knows: npm run docs writes it`, () => {
      const page = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
      expect(page).toBe(withTables(page, tables));
    });
  }
});
