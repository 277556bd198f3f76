import { expect, test } from 'vitest';
import { createBreaker } from '../../../src/pipeline/run/breaker.ts';
import { serviceError } from '../../../src/pipeline/run/service-error.ts';
import type { NotOk } from '../../../src/service/call-outcome.ts';

const cause = 'the service refused the connection';
const down: NotOk = { kind: 'try_later', reason: 'token-unavailable', sent: false, cause };
const advice = 'Check the address (PAYRUN_BASE_URL) and the network, then run the same command again.';

test('a service that is down is said in one sentence, with its address and what to do', () => {
  const { message } = serviceError(down, 'The service at https://pay.example/api/b2b could not be asked');
  expect(message).toBe(
    `The service at https://pay.example/api/b2b could not be asked: ${cause}. Nothing was sent. ${advice}`,
  );
});

test('once something was sent, it does not say that nothing was', () => {
  const { messageAfterSends } = serviceError(down, 'Payouts could not be looked up');
  expect(messageAfterSends).toBe(`Payouts could not be looked up: ${cause}. ${advice}`);
});

test('a run that stops does not claim that nothing was sent because one call was not', () => {
  const breaker = createBreaker();
  const stop = () => {
    for (;;) breaker.troubled(cause);
  };
  expect(stop).toThrow(/in a row: the service refused the connection\. payrun stopped; it is safe/);
  expect(stop).not.toThrow(/nothing was sent/i);
});
