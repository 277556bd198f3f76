import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDraftJournal } from '../support/draft-journal.ts';

const head = 'paymentId,accountName,country,currency,amount,phoneNumber';

interface Drawn {
  readonly person: number;
  readonly amount: number;
  readonly isValid: boolean;
}

const lineOf = ({ person, amount, isValid }: Drawn) =>
  `E${person},Person ${person},KE,KES,${isValid ? `${amount}.00` : 'much'},+25471${2_000_000 + person}`;

/** Many alike, so that rows of each kind stand on both sides of where a page of rows ends. */
const rows = fc
  .uniqueArray(
    fc.record({
      person: fc.nat({ max: 700 }),
      amount: fc.integer({ min: 1, max: 3 }),
      isValid: fc.constantFrom(true, true, true, false),
    }),
    { selector: ({ person }) => person, minLength: 190, maxLength: 450, size: 'max' },
  )
  .filter((drawn) => drawn.some(({ isValid }) => isValid));

test('each row stands with the payout of its own payment, new ones in the order of the file, also where a batch is known', async () => {
  await fc.assert(
    fc.asyncProperty(rows, rows, async (first, second) => {
      const { db, accept } = openDraftJournal();
      const stored = () =>
        db
          .prepare<[], { cells: string; key: string | null; id: number | null; amount: number | null }>(
            `SELECT cells, payouts.key, payouts.id, payouts.amount FROM batch_rows LEFT JOIN payouts ON payouts.id = payout
             WHERE present = 1 ORDER BY position`,
          )
          .all()
          .map(({ cells, ...payout }) => ({ ...payout, cells: JSON.parse(cells) as string[] }));
      const accepted = new Set<number>();
      for (const drawn of [first, second]) {
        const { added } = await accept([head, ...drawn.map(lineOf)].join('\n'));
        const present = stored();
        expect(present).toHaveLength(drawn.length);
        const paid = present.filter(({ id }) => id !== null);
        for (const { key, amount, cells } of paid) {
          expect(key).toBe(cells[0]);
          const { isValid } = drawn.find(({ person }) => `E${person}` === key) ?? { isValid: false };
          if (isValid) expect(amount).toBe(Number(cells[4]) * 100);
        }
        const keys = new Set(paid.map(({ key }) => key));
        for (const { person, isValid } of drawn) if (isValid) expect(keys).toContain(`E${person}`);
        const news = drawn.flatMap(({ person }) =>
          paid.flatMap(({ key, id }) =>
            key === `E${person}` && id !== null && !accepted.has(id) ? [id] : [],
          ),
        );
        expect(news).toHaveLength(added);
        expect(news).toEqual([...news].sort((one, other) => one - other));
        for (const id of news) accepted.add(id);
      }
    }),
    { numRuns: 8 },
  );
});
