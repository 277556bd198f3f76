import { readFileSync, writeFileSync } from 'node:fs';
import { generatedTables, withTables } from './generated-tables.ts';

for (const [name, tables] of Object.entries(generatedTables())) {
  const path = new URL(`../docs/${name}`, import.meta.url);
  writeFileSync(path, withTables(readFileSync(path, 'utf8'), tables));
}
