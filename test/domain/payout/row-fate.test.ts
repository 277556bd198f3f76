import { describe, expect, test } from 'vitest';
import { type PayoutState, payoutStates } from '../../../src/domain/payout/payout-state.ts';
import { type ComparedRow, planRow, type RowFate, willSend } from '../../../src/domain/payout/row-fate.ts';

const row: ComparedRow = {
  fingerprint: 'f1',
  accountName: 'Amina Otieno',
  narration: 'wages',
  operator: 'MPESA',
  bankCode: '68',
  branchCode: '001',
};

type Change = 'nothing' | 'money' | 'detail' | 'narration';

/** What is done about a row by what has changed in it: who and how much, how it is reached, what is written beside it. */
const fates: Readonly<Record<PayoutState, Readonly<Record<Change, RowFate>>>> = {
  planned: { nothing: 'carries-on', money: 'replaced', detail: 'replaced', narration: 'replaced' },
  ready: { nothing: 'carries-on', money: 'replaced', detail: 'replaced', narration: 'replaced' },
  refused: { nothing: 'carries-on', money: 'replaced', detail: 'replaced', narration: 'replaced' },
  held: { nothing: 'carries-on', money: 'replaced', detail: 'replaced', narration: 'replaced' },
  failed: { nothing: 'carries-on', money: 'new-attempt', detail: 'new-attempt', narration: 'carries-on' },
  returned: { nothing: 'carries-on', money: 'new-attempt', detail: 'new-attempt', narration: 'carries-on' },
  submitting: { nothing: 'carries-on', money: 'conflict', detail: 'renamed', narration: 'renamed' },
  submitted: { nothing: 'carries-on', money: 'conflict', detail: 'renamed', narration: 'renamed' },
  unclear: { nothing: 'carries-on', money: 'conflict', detail: 'renamed', narration: 'renamed' },
  paid: { nothing: 'carries-on', money: 'conflict', detail: 'renamed', narration: 'renamed' },
  cancelled: {
    nothing: 'stays-cancelled',
    money: 'stays-cancelled',
    detail: 'stays-cancelled',
    narration: 'stays-cancelled',
  },
};

const changed: readonly (readonly [field: keyof ComparedRow | undefined, Change])[] = [
  [undefined, 'nothing'],
  ['fingerprint', 'money'],
  ['accountName', 'detail'],
  ['operator', 'detail'],
  ['bankCode', 'detail'],
  ['branchCode', 'detail'],
  ['narration', 'narration'],
];

describe.each(payoutStates)('A row whose payout is %s', (state) => {
  test.each(changed)('with another %s', (field, change) => {
    const now = field === undefined ? row : { ...row, [field]: 'another' };
    expect(planRow(now, { ...row, state, hold: 'name', isTaken: false })).toBe(fates[state][change]);
  });
});

test('A row that nobody knows is new; one that was held because it had left is back', () => {
  expect(planRow(row, undefined)).toBe('new');
  expect(planRow(row, { ...row, state: 'held', hold: 'file', isTaken: false })).toBe('brought-back');
});

test('What the service took and never ended is changed by no row, whatever a person has called it since', () => {
  for (const state of payoutStates) {
    const known = { ...row, state, hold: 'name', isTaken: true };
    const sent = ['planned', 'ready', 'held', 'refused'].includes(state) ? fates.submitted : fates[state];
    for (const [field, change] of changed) {
      const now = field === undefined ? row : { ...row, [field]: 'another' };
      expect(planRow(now, known), `${state} ${change}`).toBe(sent[change]);
    }
  }
});

test('Money goes out for what begins or begins again, and for what only waits for its turn', () => {
  for (const fate of ['new', 'replaced', 'new-attempt', 'brought-back'] as const) {
    expect(willSend(fate, undefined), fate).toBe(true);
  }
  for (const fate of ['stays-cancelled', 'conflict', 'renamed'] as const) {
    expect(willSend(fate, 'ready'), fate).toBe(false);
  }
  const waiting = payoutStates.filter((state) => willSend('carries-on', state));
  expect(waiting).toEqual(['planned', 'ready']);
  expect(willSend('carries-on', undefined)).toBe(false);
});
