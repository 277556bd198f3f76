import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packCall, packEnd, unpackCall, unpackEnd } from '../../src/service/thread/packed-messages.ts';
import type { CallMessage, EndMessage } from '../../src/service/thread/thread-messages.ts';

/** As the other thread has it. */
function sent<Message>(message: Message): Message {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(message);
  const received = receiveMessageOnPort(port2) as { message: Message };
  port1.close();
  return received.message;
}

const id = fc.nat();
const text = fc.string({ unit: 'binary' });
const bytes = fc.nat();
const ms = fc.double({ noNaN: true, noDefaultInfinity: true });
const headers = fc.dictionary(fc.string({ minLength: 1 }), text, { noNullPrototype: true });

const call: fc.Arbitrary<CallMessage> = fc.record({
  id,
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  path: text,
  headers,
  body: fc.option(text, { nil: undefined }),
  replyLimitBytes: bytes,
  wholeBytes: fc.option(bytes, { nil: undefined }),
  isAbortable: fc.boolean(),
  begun: fc.option(
    fc.record({
      ago: fc.record({ monotonicMs: ms, wallMs: ms }),
      saidMs: ms,
      saidAtMs: ms,
    }),
    { nil: undefined },
  ),
});

const readHeaders = fc.record(
  { 'content-encoding': text, 'content-length': text, 'retry-after': text },
  { requiredKeys: [], noNullPrototype: true },
);
const body = fc.oneof(
  fc.record({ ended: fc.constant('complete' as const), text }),
  fc.record({
    ended: fc.constantFrom(
      'cut-off' as const,
      'too-large' as const,
      'timed-out' as const,
      'aborted' as const,
    ),
  }),
);
const reply = fc.record({
  kind: fc.constant('reply' as const),
  status: fc.nat(999),
  headers: readHeaders,
  body,
});
const noReply = fc.record({
  kind: fc.constant('no-reply' as const),
  phase: fc.constantFrom('before-send' as const, 'after-send' as const),
  cause: fc.constantFrom('error' as const, 'timed-out' as const, 'aborted' as const, 'too-late' as const),
});
const end: fc.Arbitrary<EndMessage> = fc.oneof(
  fc.record({ id, happened: fc.oneof(reply, noReply) }),
  fc.record({ id, fault: text }),
  fc.record({ id, isLetGo: fc.constant(true as const) }),
);

test('a call is the same in the other thread', () => {
  fc.assert(
    fc.property(call, (told) => {
      expect(unpackCall(sent(packCall(told)))).toEqual(told);
    }),
  );
});

test('a call has the headers that it was told with, however many other headers came before', () => {
  fc.assert(
    fc.property(
      fc.array(headers, { maxLength: 30 }),
      fc.array(fc.nat(29), { maxLength: 60 }),
      (sets, draws) => {
        for (const draw of draws) {
          const given = sets[draw % Math.max(1, sets.length)] ?? {};
          const told: CallMessage = {
            id: draw,
            method: 'GET',
            path: '/',
            headers: given,
            body: undefined,
            replyLimitBytes: 1,
            wholeBytes: undefined,
            isAbortable: false,
            begun: undefined,
          };
          expect(unpackCall(sent(packCall(told))).headers).toEqual(given);
        }
      },
    ),
  );
});

test('what became of a call is the same in the other thread', () => {
  fc.assert(
    fc.property(end, (told) => {
      expect(unpackEnd(sent(packEnd(told)))).toEqual(told);
    }),
  );
});
