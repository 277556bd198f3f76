import { createRequire } from 'node:module';

const packageFile = createRequire(import.meta.url)('../../package.json') as { version: string };

export const version = packageFile.version;
