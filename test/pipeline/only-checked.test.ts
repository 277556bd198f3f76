import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { draftFile } from '../../src/pipeline/draft-file.ts';
import { openDraftJournal } from '../support/draft-journal.ts';
import { draftDefaults } from '../support/draft-options.ts';

const header =
  'paymentId,accountName,country,currency,amount,phoneNumber,accountNumber,bankCode,debitCurrency,debitCountry,narration\n';
const file = `${header}P1,Amina Juma,KE,KES,100,+254712345678,,,,,March
P2,Brian Otieno,KE,KES,200.50,0722000111,,,,,
P2,Brian Otieno,KE,KES,7,0722000112,,,,,
P3,Chebet Abdi,KE,USD,12.5,,010012345611,68,USD,KE,
P4,Daniel,KE,KES,,0733111222,,,,,
P5,Esther Njeri,KE,KES,100,+254712345678,,,,,
P6,Amina Juma,KE,KES,3,0733111229.0,,,,,
P7,Grace,ZZ,KES,3,0733111229,,,,,
`;

async function said(isOnlyChecked: boolean) {
  const options = { ...draftDefaults, isOnlyChecked };
  const { questions } = await draftFile(openEmptyJournal(), Readable.from([Buffer.from(file)]), options);
  const sums = (['currency', 'destination', 'wallet', 'country'] as const).map((by) => questions.totals(by));
  const problems = [...questions.problems()];
  return { ...questions.counts(), sums, problems, repairs: [...questions.repairs()] };
}

describe('a file that is only checked', () => {
  it('is said the same of as of one that could be paid', async () => {
    const checked = await said(true);
    expect(checked).toStrictEqual(await said(false));
    expect(checked).toMatchObject({ rows: 8, valid: 4 });
    expect(checked.problems.map(({ code }) => code)).toContain('account-two-names');
    expect(checked.repairs).not.toStrictEqual([]);
  });

  it('is not asked which bytes it is made of, unless its batch is found by them; and it is whole either way', async () => {
    const factsOf = async (options: { isOnlyChecked: boolean; batch?: string }) =>
      (
        await draftFile(openEmptyJournal(), Readable.from([Buffer.from(file)]), {
          ...draftDefaults,
          ...options,
        })
      ).reading.facts;
    const digest = createHash('sha256').update(file).digest('hex');
    expect(await factsOf({ isOnlyChecked: false })).toMatchObject({ complete: true, digest });
    expect(await factsOf({ isOnlyChecked: true })).toMatchObject({ complete: true, digest: undefined });
    expect(await factsOf({ isOnlyChecked: true, batch: 'pay {yyyy}' })).toMatchObject({
      complete: true,
      digest,
    });
  });

  it('cannot be accepted', async () => {
    const { accept } = openDraftJournal();
    await expect(accept(file, { isOnlyChecked: true })).rejects.toThrow('NOT NULL constraint failed');
  });
});
