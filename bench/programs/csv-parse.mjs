import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

/** The least that reading a file can take. */
let rows = 0;
for await (const record of createReadStream(process.argv[2]).pipe(parse())) rows += record.length > 0 ? 1 : 0;
if (rows < 2) throw new Error('the file is empty');
