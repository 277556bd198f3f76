import { describe, expect, test } from 'vitest';
import { type ReleaseScope, release } from '../../src/decisions/release.ts';
import type { Payout } from '../../src/domain/payout/payout.ts';
import { noReason, reason } from '../../src/domain/payout/reasons.ts';
import { isReleased } from '../../src/domain/payout/release-marks.ts';
import { decidingRun, named, openDesk } from './decide-about.ts';

const heldFor = (verdict: Payout['verdict'], resolvedName: string) => ({
  state: 'held' as const,
  changes: {
    hold: 'name' as const,
    verdict,
    resolvedName,
    ...reason('noted', { text: `${verdict}: ${resolvedName}` }),
  },
});

const waiting = [
  { key: 'close', ...heldFor('close', 'MARY WANJIKO') },
  { key: 'mismatch', ...heldFor('mismatch', 'JOHN KAMAU') },
  { key: 'unchecked', ...heldFor('unchecked', '') },
  { key: 'no-account', ...heldFor('no-account', '') },
  { key: 'limit', state: 'held' as const, changes: { hold: 'limit' as const } },
  { key: 'payee', state: 'held' as const, changes: { hold: 'payee' as const } },
  { key: 'file', state: 'held' as const, changes: { hold: 'file' as const } },
  { key: 'repeat', state: 'held' as const, changes: { hold: 'repeat' as const } },
  {
    key: 'unclear',
    state: 'unclear' as const,
    changes: { unknownSends: 2, ...reason('noted', { text: 'sent 2 times' }) },
  },
  { key: 'paid', state: 'paid' as const, changes: { transactionId: 'T1' } },
  { key: 'planned' },
];

const releasing = (scope: ReleaseScope) => (payout: Parameters<typeof release>[0]) =>
  release(payout, scope, decidingRun, 'checked by phone');
const everyHeld = { kind: 'states', states: ['held'] } as const;

describe('release', () => {
  test.each([
    ['close', ['close']],
    ['mismatch', ['mismatch']],
    ['unchecked', ['unchecked']],
    ['all', ['close', 'mismatch', 'unchecked']],
  ] as const)('--verdict and --all take only payouts held for their name: %s', async (scope, expected) => {
    const desk = await openDesk(waiting);
    const { moved, left } = await desk.decide({
      choice: everyHeld,
      rule: releasing(scope),
      repeats: undefined,
    });
    expect(moved).toBe(expected.length);
    expect(left).toEqual([]);
    const now = waiting.filter(({ key }) => key !== 'planned' && desk.payout(key).state === 'planned');
    expect(now.map(({ key }) => key)).toEqual(expected);
  });

  test.each(['close', 'limit', 'payee', 'file', 'repeat', 'no-account'])(
    'by --payment a payout held for %s goes back to planned and passes that one check',
    async (key) => {
      const desk = await openDesk(waiting);
      const before = desk.payout(key);
      await desk.decide({ choice: named(key), rule: releasing('named'), repeats: undefined });
      const after = desk.payout(key);
      expect(after).toMatchObject({ state: 'planned', hold: '', ...noReason, acceptedRun: decidingRun });
      expect(after.released).toBe(before.hold);
      expect(after.resolvedName).toBe(before.resolvedName);
      expect(after.reference).toBe(before.reference);
    },
  );

  test('a second release does not undo the first', async () => {
    const desk = await openDesk([
      { key: 'E1', state: 'held', changes: { hold: 'repeat', released: 'limit' } },
    ]);
    await desk.decide({ choice: named('E1'), rule: releasing('named'), repeats: undefined });
    expect(isReleased(desk.payout('E1'), 'limit')).toBe(true);
    expect(isReleased(desk.payout('E1'), 'repeat')).toBe(true);
    expect(isReleased(desk.payout('E1'), 'name')).toBe(false);
  });

  test('the pair of names is remembered for that payee, but no name is no pair', async () => {
    const desk = await openDesk(waiting);
    const ids = named('close', 'unchecked', 'no-account', 'limit');
    await desk.decide({ choice: ids, rule: releasing('named'), repeats: undefined });
    const { payee, foldedName } = desk.payout('close');
    expect(desk.db.prepare('SELECT payee, expected, resolved FROM released_names').all()).toEqual([
      { payee, expected: foldedName, resolved: 'MARY WANJIKO' },
    ]);
  });

  test('an unclear one goes back to submitting with one more send granted; what is known of its sends stays', async () => {
    const desk = await openDesk(waiting);
    await desk.decide({ choice: named('unclear'), rule: releasing('named'), repeats: undefined });
    expect(desk.payout('unclear')).toMatchObject({
      state: 'submitting',
      released: 'send',
      unknownSends: 2,
      everSent: true,
    });
    expect(desk.log('unclear')).toEqual([
      {
        operator: 'amina',
        run: decidingRun,
        from: 'unclear',
        to: 'submitting',
        why: 'released for one more send: checked by phone',
      },
    ]);
  });

  test('an unclear one is not taken in bulk', async () => {
    const desk = await openDesk(waiting);
    const choice = { kind: 'states', states: ['held', 'unclear'] } as const;
    await desk.decide({ choice, rule: releasing('all'), repeats: undefined });
    expect(desk.payout('unclear').state).toBe('unclear');
  });

  test('what is neither held nor unclear is left, and told', async () => {
    const desk = await openDesk(waiting);
    const ids = named('paid', 'planned', 'limit');
    const { moved, left } = await desk.decide({ choice: ids, rule: releasing('named'), repeats: undefined });
    expect(moved).toBe(1);
    expect(left.map(({ payout, why }) => `${payout.key}: ${why}`)).toEqual([
      'paid: it is paid; only a held or unclear payout can be released',
      'planned: it is planned; only a held or unclear payout can be released',
    ]);
  });
});
