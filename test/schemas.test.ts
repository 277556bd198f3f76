import { readdirSync, readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { generatedSchemas } from '../scripts/generated-schemas.ts';

const folder = new URL('../schemas/', import.meta.url);
const committed = (name: string) => readFileSync(new URL(name, folder), 'utf8');

describe('schemas/', () => {
  test('holds exactly what the zod schemas generate: npm run schemas writes it', () => {
    const generated = generatedSchemas();
    expect(readdirSync(folder).sort()).toEqual(Object.keys(generated).sort());
    for (const [name, document] of Object.entries(generated)) {
      expect(JSON.parse(committed(name)), name).toEqual(JSON.parse(JSON.stringify(document)));
    }
  });

  test('the OpenAPI document passes an OpenAPI linter with no problem at all', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: { 'no-server-example.com': 'off' },
    });
    const lint = (source: string) => lintFromString({ source, config, absoluteRef: 'service.openapi.json' });
    const problems = await lint(committed('service.openapi.json'));
    expect(
      problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer })),
    ).toEqual([]);

    const broken = JSON.parse(committed('service.openapi.json'));
    broken.paths['/api/b2b/users'].get.responses['200'] = {};
    expect((await lint(JSON.stringify(broken))).length).toBeGreaterThan(0);
  });
});
