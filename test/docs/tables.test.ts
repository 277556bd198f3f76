import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generatedTables, withTables } from '../../scripts/generated-tables.ts';
import { assumptions } from '../../src/service/contract/assumptions.ts';

describe('the docs', () => {
  for (const [name, tables] of Object.entries(generatedTables())) {
    test(`docs/${name} shows what the code knows: npm run docs writes it`, () => {
      const page = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
      expect(page).toBe(withTables(page, tables));
    });
  }

  test('docs/service.md says what each assumption is, once, and tells of no other', () => {
    const page = readFileSync(new URL('../../docs/service.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('## What is assumed');
    const told = [
      ...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([\w-]+)` \| [^|]+ \| [^|]+ \| [^|]+ \|$/gm),
    ];
    expect(told.map(([, id]) => id)).toEqual(assumptions);
  });
});
