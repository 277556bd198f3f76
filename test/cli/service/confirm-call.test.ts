import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { confirmCall } from '../../../src/cli/service/confirm-call.ts';
import { askHidden } from '../../../src/cli/terminal/ask-hidden.ts';

/** A terminal at which somebody types. */
function terminal(typed: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = '';
  output.on('data', (piece) => {
    shown += String(piece);
  });
  input.write(typed);
  const interrupts = { signal: new AbortController().signal, exit: () => undefined };
  return { input, output, interrupts, shown: () => shown };
}

describe('a call that changes something real', () => {
  test('goes on after a whole yes', async () => {
    const person = terminal(' Yes\n');
    await confirmCall('Removes account A1.', true, person);
    expect(person.shown()).toContain('Removes account A1.\n');
  });

  test.each(['\n', 'y\n', 'no\n', 'yes please\n', '\u0004'])('and after nothing else: %j', async (typed) => {
    const person = terminal(typed);
    if (typed === '\u0004') person.input.end();
    await expect(confirmCall('Removes account A1.', true, person)).rejects.toMatchObject({
      code: 'declined',
      exit: 6,
    });
  });
});

describe('what is typed where it must not be seen', () => {
  test('is taken, and shown nowhere', async () => {
    const person = terminal('4242 4242 4242 4242\n');
    expect(await askHidden('Number of the card: ', person)).toBe('4242 4242 4242 4242');
    expect(person.shown()).toBe('Number of the card: \n');
  });
});
