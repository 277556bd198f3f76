import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { LaterAttempt } from '../../../src/journal/draft/draft-attempts.ts';
import { attemptsGuard } from '../../../src/pipeline/guards/attempts-guard.ts';
import type { LookUpService } from '../../../src/pipeline/look-up/look-up.ts';

const rows = ['P001', 'P002', 'P003'].map(
  (key, place): LaterAttempt => ({
    line: place + 2,
    key,
    attempt: 2,
    reference: '5f1c1a2e-0000-5000-8000-000000000002',
    currency: 'KES',
    amountMinor: 125_000n,
    country: 'KE',
    destination: 'MoMo',
    number: '+254712000101',
    bankCode: '',
    operator: '',
  }),
);

test('a service that cannot be asked about several rows stops the plan, and leaves nothing that would stop the process', async () => {
  const unheard: unknown[] = [];
  const hear = (error: unknown) => void unheard.push(error);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', hear);
  onTestFinished(() => {
    process.off('unhandledRejection', hear);
    for (const other of others) process.on('unhandledRejection', other);
  });
  const service = unreachableService();
  const context = {
    service,
    payouts: { transactionTaken: () => false },
    memory: { worker: { selfTest: undefined } },
  };
  const batch = { name: 'november', keyKind: 'paymentId' } as const;

  await expect(attemptsGuard(context, batch, [rows], 8)).rejects.toThrow('could not be looked up');

  await service.settled();
  expect(unheard).toEqual([]);
});

/** Every question fails, each a turn later than the one before. */
function unreachableService() {
  let asked = 0;
  const answers: Promise<unknown>[] = [];
  const fails = () => {
    asked += 1;
    const answer = pause(asked).then(() => ({
      kind: 'try_later' as const,
      reason: 'connection-refused' as const,
      cause: 'nobody listens',
      sent: false,
    }));
    answers.push(answer);
    return answer;
  };
  const service: LookUpService = { listTransactions: fails, readTransaction: fails };
  /** Node tells of a rejection that nobody heard only after its turn. */
  const settled = async () => {
    await Promise.all(answers);
    await pause(1);
  };
  return { ...service, settled };
}
