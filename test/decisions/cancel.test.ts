import { describe, expect, test } from 'vitest';
import { cancel } from '../../src/decisions/cancel.ts';
import { type PayoutState, payoutStates } from '../../src/domain/payout/payout-state.ts';
import { reason, reasonText } from '../../src/domain/payout/reasons.ts';
import { named, openDesk } from './decide-about.ts';

const cancellable: readonly PayoutState[] = ['planned', 'ready', 'held'];
const one = (state: PayoutState) => [{ key: 'E1', state, changes: { transactionId: '' } }];

describe('cancel', () => {
  test.each(payoutStates)('a payout that is %s', async (state) => {
    const desk = await openDesk(one(state));
    const rule = (payout: Parameters<typeof cancel>[0]) => cancel(payout, 'she has left', []);
    const { moved, left } = await desk.decide({ choice: named('E1'), rule, repeats: undefined });
    if (cancellable.includes(state)) {
      expect({ moved, left }).toEqual({ moved: 1, left: [] });
      expect(desk.payout('E1')).toMatchObject({
        state: 'cancelled',
        hold: '',
        ...reason('cancelled', { reason: 'she has left' }),
      });
      expect(desk.log('E1')).toMatchObject([
        { operator: 'amina', from: state, why: 'cancelled: she has left' },
      ]);
    } else {
      expect(moved).toBe(0);
      expect(left).toMatchObject([{ why: expect.stringMatching(/sent|cancelled already/) }]);
      expect(desk.payout('E1').state).toBe(state);
      expect(desk.log('E1')).toEqual([]);
    }
  });

  test('does not hide that an earlier attempt may have been paid', async () => {
    const open = reason('earlier-attempt-untold', { attempt: '1', why: 'TX1' });
    const changes = { hold: 'repeat', ...open } as const;
    const desk = await openDesk([{ key: 'E1', state: 'held', changes }]);
    const rule = (payout: Parameters<typeof cancel>[0]) => cancel(payout, 'she has it', []);
    await desk.decide({ choice: named('E1'), rule, repeats: undefined });
    expect(desk.payout('E1').code).toBe('cancelled');
    expect(reasonText(desk.payout('E1'))).toBe(
      'she has it; it was held: attempt 1 could not be checked: TX1',
    );
  });
});
