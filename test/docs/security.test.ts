import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/security.md', root), 'utf8');

describe('docs/security.md', () => {
  test('every test that it names is there', () => {
    const named = [...page.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path ?? '');
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !/\.test\.ts$/.test(path) || !existsSync(new URL(path, root)))).toEqual([]);
  });

  test('every row of the threat model says what shows it', () => {
    const rows = page.split('\n').filter((line) => /^\| (?!who |-)/.test(line));
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((row) => !/`test\/[^`]+` \|$|`test\/[^`]+`, `test\/[^`]+` \|$/.test(row))).toEqual([]);
  });

  test('SECURITY.md leads to it, and names no address that nobody reads', () => {
    const policy = readFileSync(new URL('SECURITY.md', root), 'utf8');
    expect(policy).toContain('docs/security.md');
    expect(policy).not.toMatch(/\S+@\S+\.\S+/);
  });
});
