import { expect, test } from 'vitest';
import type { Payout } from '../../../src/domain/payout/payout.ts';
import { createSentLookUp } from '../../../src/pipeline/environment/find-sent-payouts.ts';
import type { LookUpService } from '../../../src/pipeline/look-up/look-up.ts';

const reference = '5f1c1a2e-0000-5000-8000-000000000001';
const payout = {
  id: 1,
  reference,
  transactionId: 'TX1',
  currency: 'KES',
  amountMinor: 125_000n,
  country: 'KE',
  destination: 'MoMo',
  number: '+254712000101',
  bankCode: '',
  operator: '',
} as Payout;

test.each([
  { shows: 'its reference', externalReference: reference, asked: [reference] },
  { shows: 'no reference', externalReference: undefined, asked: [reference, expect.any(String)] },
])(
  'a payout that the service shows with $shows: the list is put to the test only where it must be believed',
  async ({ externalReference, asked }) => {
    const { service, searched } = serviceShowing(externalReference);
    const lookUpSent = createSentLookUp({ service, payouts: { transactionTaken: () => false } });

    expect(await lookUpSent(payout)).toBeUndefined();

    // A question that nobody waits for would end the process if the service failed to answer it.
    expect(searched).toEqual(asked);
  },
);

/** The payout, and nothing under any other reference. */
function serviceShowing(externalReference: string | undefined) {
  const searched: (string | undefined)[] = [];
  const shown = {
    transactionId: 'TX1',
    type: 'withdrew',
    status: 'SUCCESSFUL',
    amount: 1250,
    currency: 'KES',
  };
  const service: LookUpService = {
    async listTransactions({ query }) {
      searched.push(query?.externalReference);
      const data = query?.externalReference === reference ? [shown] : [];
      return { kind: 'ok', value: { success: true, data } };
    },
    async readTransaction() {
      return { kind: 'ok', value: { success: true, data: { ...shown, externalReference } } };
    },
  };
  return { service, searched };
}
