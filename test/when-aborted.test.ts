import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { whenAborted } from '../src/when-aborted.ts';

test('however many wait for a signal, it has one listener, and none once nobody waits', () => {
  const { signal } = new AbortController();
  const stops = Array.from({ length: 50 }, () => whenAborted(signal, () => {}));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  for (const stop of stops) stop();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('all that still wait are told, each once, in the order in which they came', () => {
  const controller = new AbortController();
  const told: string[] = [];
  const tell = () => void told.push('same');
  whenAborted(controller.signal, () => void told.push('first'));
  whenAborted(controller.signal, () => void told.push('gone'))();
  whenAborted(controller.signal, tell);
  whenAborted(controller.signal, tell);
  controller.abort();
  controller.abort();
  expect(told).toEqual(['first', 'same', 'same']);
});

test('one that stops after the abort, or twice, takes nothing from those that came later', () => {
  const { signal } = new AbortController();
  const stop = whenAborted(signal, () => {});
  stop();
  whenAborted(signal, () => {});
  stop();
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});
