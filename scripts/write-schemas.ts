import { writeFileSync } from 'node:fs';
import { generatedSchemas } from './generated-schemas.ts';

for (const [name, document] of Object.entries(generatedSchemas())) {
  writeFileSync(new URL(`../schemas/${name}`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
}
