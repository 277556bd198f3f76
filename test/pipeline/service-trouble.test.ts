import { expect, test } from 'vitest';
import { createBreaker } from '../../src/pipeline/breaker.ts';
import { causeOf, serviceTrouble } from '../../src/pipeline/service-trouble.ts';
import type { NotOk } from '../../src/service/call-outcome.ts';

const sentence = 'There is no token for the call: The service refused the connection; nothing was sent.';
const down: NotOk = { kind: 'try_later', reason: 'token-unavailable', sent: false, sentence };

test('a service that is down is said in one sentence, with its address and what to do', () => {
  expect(serviceTrouble(down, 'The service at https://pay.example/api/b2b could not be asked').message).toBe(
    'The service at https://pay.example/api/b2b could not be asked: the service refused the connection. Nothing was sent. Check the address (PAYRUN_BASE_URL) and the network, then run the same command again.',
  );
});

test('a run that stops does not claim that nothing was sent because one call was not', () => {
  const breaker = createBreaker();
  const stop = () => {
    for (;;) breaker.troubled(sentence);
  };
  expect(stop).toThrow(/in a row: the service refused the connection\. payrun stopped; it is safe/);
  expect(stop).not.toThrow(/nothing was sent/i);
});

test('a cause is a part of a sentence', () => {
  expect(causeOf('The service failed (503).')).toBe('the service failed (503)');
  expect(causeOf('No connection came about in time; nothing was sent.')).toBe(
    'no connection came about in time',
  );
});
