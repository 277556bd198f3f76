import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { draftFile } from '../../src/pipeline/draft-file.ts';
import { draftDefaults } from '../support/draft-options.ts';

const rows = 30_000;
const turnsToTheEnd = 20;

async function* fileThen(ended: () => void): AsyncGenerator<Buffer> {
  let text = 'paymentId,accountName,country,currency,amount,phoneNumber\n';
  for (let row = 0; row < rows; row += 1)
    text += `P${row},Amina Juma,KE,KES,100,+2547${String(row).padStart(8, '0')}\n`;
  yield Buffer.from(text);
  ended();
}

it('a stop that comes while rows are judged is heard before all of them are', async () => {
  const stop = new AbortController();
  let turns = 0;
  const countTurns = () => {
    turns += 1;
    if (turns === turnsToTheEnd) stop.abort();
    else setImmediate(countTurns);
  };
  const source = Readable.from(fileThen(countTurns));
  const drafting = draftFile(openEmptyJournal(), source, { ...draftDefaults, signal: stop.signal });
  await expect(drafting).rejects.toMatchObject({ code: 'stopped-first' });
});
