import { describe, expect, test } from 'vitest';
import { retry } from '../../src/decisions/retry.ts';
import type { Payout } from '../../src/domain/payout/payout.ts';
import { noReason, reason } from '../../src/domain/payout/reasons.ts';
import { referenceOf } from '../../src/domain/reference.ts';
import { type Desk, decidingRun, named, openDesk } from './decide-about.ts';

const ended = {
  transactionId: 'T1',
  settledMs: 5,
  submittedMs: 4,
  verdict: 'close' as const,
  resolvedName: 'MARY W',
  resolvedMs: 3,
};
const batchOf = [
  {
    key: 'failed',
    state: 'failed' as const,
    changes: { ...ended, released: 'name limit send', externalAccountId: 'A1' },
  },
  {
    key: 'refused',
    state: 'refused' as const,
    changes: { unknownSends: 1, ...reason('noted', { text: 'E-API-P.S-42' }), externalAccountId: 'A1' },
  },
  { key: 'returned', state: 'returned' as const, changes: { ...ended, transactionId: 'T2' } },
  { key: 'cancelled', state: 'cancelled' as const, changes: { ...reason('noted', { text: 'a mistake' }) } },
  { key: 'paid', state: 'paid' as const, changes: { transactionId: 'T3' } },
  { key: 'unclear', state: 'unclear' as const },
  { key: 'held', state: 'held' as const, changes: { hold: 'limit' as const } },
];

const decideAll = (desk: Desk, ids: readonly string[] = []) =>
  desk.decide({
    choice: ids.length > 0 ? named(...ids) : { kind: 'states', states: ['failed', 'refused'] },
    rule: (payout: Payout) => retry(payout, desk.batch, decidingRun, ''),
    repeats: undefined,
  });

describe('retry', () => {
  test('without names it takes failed and refused ones, and none else', async () => {
    const desk = await openDesk(batchOf);
    expect((await decideAll(desk)).moved).toBe(2);
    expect(batchOf.map(({ key }) => `${key} ${desk.payout(key).state}`)).toEqual([
      'failed planned',
      'refused planned',
      'returned returned',
      'cancelled cancelled',
      'paid paid',
      'unclear unclear',
      'held held',
    ]);
  });

  test.each(['failed', 'returned'])(
    'a %s one becomes the next attempt, under its own reference, with nothing sent',
    async (key) => {
      const desk = await openDesk(batchOf);
      await decideAll(desk, [key]);
      expect(desk.payout(key)).toMatchObject({
        state: 'planned',
        attempt: 2,
        reference: referenceOf('payroll', 'paymentId', key, 2),
        everSent: false,
        transactionId: '',
        submittedMs: null,
        settledMs: null,
        verdict: '',
        resolvedMs: null,
        externalAccountId: '',
        acceptedRun: decidingRun,
      });
      expect(desk.log(key)[0]?.why).toMatch(/^attempt 2 after attempt 1 (failed|returned) \(T\d\)$/);
    },
  );

  test('what a person released stays released, but not the one more send', async () => {
    const desk = await openDesk(batchOf);
    await decideAll(desk, ['failed']);
    expect(desk.payout('failed')).toMatchObject({ released: 'name limit', resolvedName: 'MARY W' });
  });

  test.each(['refused', 'cancelled'])(
    'a %s one keeps its attempt, its reference and its unanswered sends, and is looked up first',
    async (key) => {
      const desk = await openDesk(batchOf);
      const before = desk.payout(key);
      await decideAll(desk, [key]);
      expect(desk.payout(key)).toMatchObject({
        state: 'planned',
        attempt: 1,
        reference: before.reference,
        everSent: before.everSent,
        unknownSends: before.unknownSends,
        ...noReason,
        acceptedRun: decidingRun,
      });
    },
  );

  test('what is under way, paid or held is left, and told', async () => {
    const desk = await openDesk(batchOf);
    const { moved, left } = await decideAll(desk, ['paid', 'unclear', 'held']);
    expect(moved).toBe(0);
    expect(left.map(({ why }) => why.split(';')[0])).toEqual(['it is paid', 'it is unclear', 'it is held']);
  });
});
