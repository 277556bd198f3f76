import { writeFileSync } from 'node:fs';
import { billOfMaterials } from './bill-of-materials.ts';

writeFileSync(new URL('../sbom.cdx.json', import.meta.url), billOfMaterials());
