import { mayStillLeave } from '../../../src/service/begun-ago.ts';
import type { Exchange, NoReply, Reply } from '../../../src/service/exchange.ts';
import type { HttpRequest, Transport } from '../../../src/service/transport.ts';
import type { SimulatedProcess } from './machine.ts';
import type { ModelAnswer } from './model-service.ts';
import type { Fault } from './weather.ts';
import type { World } from './world.ts';

const shortestTripMs = 5;
const longestTripMs = 400;
/** Late ones often land just before the quiet period ends: after all look-ups but the one that counts. */
const justInTimeMs = 8_000;

interface Line {
  readonly connections: number;
  readonly timeoutMs: number;
}

/**
 * Carries the requests of one process to the service, or loses them on the way, as the weather has it. As many at a time as there
 * are connections; the others wait for one, in the order in which they came.
 */
export function createWire(world: World, process: SimulatedProcess, line: Line): Transport {
  const underWay = new Set<Promise<Exchange>>();
  const waiting: (() => void)[] = [];
  let free = line.connections;
  let closed = false;

  /** Why it never had one; undefined where it has one now. */
  const connected = (request: HttpRequest): Promise<NoReply['cause'] | undefined> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve(undefined);
    }
    return new Promise((resolve) => {
      const leave = (cause?: NoReply['cause']) => {
        const place = waiting.indexOf(take);
        if (place >= 0) waiting.splice(place, 1);
        callOff();
        request.signal?.removeEventListener('abort', onAbort);
        resolve(cause);
      };
      const take = () => leave();
      const onAbort = () => leave('aborted');
      const callOff = world.time.after(line.timeoutMs, () => leave('timed-out'));
      request.signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(take);
    });
  };
  const letGo = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };

  async function exchange(request: HttpRequest): Promise<Exchange> {
    const askedMs = world.time.worldMs();
    const cause = await connected(request);
    if (!process.alive()) return new Promise(() => {});
    if (cause !== undefined) return { kind: 'no-reply', phase: 'before-send', cause };
    const waitedMs = world.time.worldMs() - askedMs;
    if (request.begunAgo && waitedMs > 0) world.counts.sendsThatWaited += 1;
    // One time for both belongs to a send alone.
    const leftMs = request.begunAgo ? line.timeoutMs - waitedMs : line.timeoutMs;
    try {
      return await carry(world, process, request, leftMs);
    } finally {
      letGo();
    }
  }

  return {
    exchange(request) {
      if (closed) return Promise.resolve({ kind: 'no-reply', phase: 'before-send', cause: 'closed' });
      const exchanged = exchange(request);
      underWay.add(exchanged);
      void exchanged.finally(() => underWay.delete(exchanged));
      return exchanged;
    },
    async close() {
      closed = true;
      await Promise.allSettled(underWay);
    },
  };
}

function carry(
  world: World,
  process: SimulatedProcess,
  request: HttpRequest,
  timeoutMs: number,
): Promise<Exchange> {
  const { time, service, weather, chance } = world;
  const call = world.nameOf(request);
  process.moment(`before ${call.text}`);
  if (!process.alive()) return new Promise(() => {});
  if (request.begunAgo && !mayStillLeave(request.begunAgo()))
    return Promise.resolve({ kind: 'no-reply', phase: 'before-send', cause: 'too-late' });
  const fault = weather.draw(call.isPayout, () => process.hasProof());
  const landed = call.isPayout ? world.payoutLeaves(process, call) : undefined;
  world.tell(process, `→ ${call.text}${fault.kind === 'none' ? '' : ` [${tellFault(fault)}]`}`);
  world.countFault(fault.kind);
  const tripMs = () => shortestTripMs + chance() * (longestTripMs - shortestTripMs);

  return new Promise((resolve) => {
    let over = false;
    const end = (exchange: Exchange) => {
      if (over || !process.alive()) return;
      over = true;
      callOffTimeout();
      request.signal?.removeEventListener('abort', onAbort);
      process.moment(`reply to ${call.text}`);
      if (!process.alive()) return;
      world.tell(process, `← ${call.text}: ${tellExchange(exchange)}`);
      if (call.isPayout) world.payoutAnswered(call.reference, exchange);
      resolve(skimmed(exchange, request));
    };
    const noReply = (
      phase: 'before-send' | 'after-send',
      cause: 'error' | 'timed-out' | 'aborted',
      code = '',
    ) =>
      end({
        kind: 'no-reply',
        phase,
        cause,
        ...(code && { error: Object.assign(new Error(code), { code }) }),
      });
    const onAbort = () => noReply('after-send', 'aborted');
    const callOffTimeout = time.after(timeoutMs, () => noReply('after-send', 'timed-out'));
    request.signal?.addEventListener('abort', onAbort, { once: true });

    /** The request reaches the service. What it says comes back only where somebody waits for it. */
    const land = (entered = false, twice = false): ModelAnswer => {
      const pushed = !entered && process.alive() ? world.unstick(call) : undefined;
      const answer = pushed ?? service.handle(request, { entered, twice });
      landed?.();
      if (call.isPayout) world.tell(process, `  the service got ${call.text}: ${tellAnswer(answer)}`);
      process.moment(`after ${call.text} landed`);
      return answer;
    };
    const arrive = (then: (answer: ModelAnswer) => void, twice = false) =>
      time.after(tripMs(), () => {
        const answer = land(false, twice);
        time.after(tripMs(), () => then(answer));
      });
    const lose = (resets: boolean) => {
      if (resets) time.after(tripMs() * 3, () => noReply('after-send', 'error'));
    };
    /** In time for the design's promise: so long after the send ended, or after the sender died. */
    const landLate = () => {
      const lastMs = Math.min(justInTimeMs, world.latestLandingMs);
      const lateMs =
        chance() < 0.4 ? world.latestLandingMs - chance() * lastMs : chance() * world.latestLandingMs;
      const endsInMs = fault.kind === 'lands-late' && fault.resets ? tripMs() * 3 : timeoutMs;
      time.after(endsInMs, () =>
        noReply('after-send', fault.kind === 'lands-late' && fault.resets ? 'error' : 'timed-out'),
      );
      process.landAfterEnd(endsInMs, lateMs, () => land(true));
    };

    switch (fault.kind) {
      case 'none':
        arrive((answer) => end(replyOf(answer)));
        break;
      case 'slow':
        time.after(chance() * timeoutMs * 0.9, () => {
          const answer = land();
          time.after(chance() * timeoutMs * 0.5, () => end(replyOf(answer)));
        });
        break;
      case 'no-connection':
        landed?.();
        time.after(tripMs(), () => noReply('before-send', 'error', fault.code));
        break;
      case 'never-sent':
        landed?.();
        time.after(timeoutMs / 2, () => noReply('before-send', 'timed-out'));
        break;
      case 'request-lost':
        landed?.();
        lose(fault.resets);
        break;
      case 'reply-lost':
        arrive(() => lose(fault.resets));
        break;
      case 'sibling':
        arrive(() => lose(fault.resets), true);
        break;
      case 'lands-late':
        landLate();
        break;
      case 'stuck':
        landed?.();
        world.stick(call, request);
        lose(fault.resets);
        break;
      case 'burnt':
        landed?.();
        service.burn(call.reference);
        lose(fault.resets);
        break;
      case 'duplicate':
        time.after(tripMs(), () => {
          const first = land();
          // What refuses a payout refuses its double. A refusal that is a lie is a fault of its own.
          const isRefused = (first.body as { success?: boolean }).success === false;
          const second = isRefused ? first : land();
          time.after(tripMs(), () => end(replyOf(chance() < 0.5 ? first : second)));
        });
        break;
      case 'lying-401':
      case 'lying-429':
      case 'lying-refusal':
      case 'no-transaction-id':
      case 'refusal-with-id':
        arrive((answer) => end(replyOf(twisted(fault.kind, answer))));
        break;
      case 'unauthorised':
      case 'too-many':
        landed?.();
        time.after(2 * tripMs(), () => end(world.refusal(fault)));
        break;
      case 'wrong-status':
      case 'html':
      case 'half-json':
      case 'cut-off':
      case 'half-in-time':
      case 'no-code': {
        const answer = (whole: ModelAnswer) => {
          const reply = spoilt(fault, whole);
          if (fault.kind === 'half-in-time') time.after(timeoutMs * 0.9, () => end(reply));
          else end(reply);
        };
        if (fault.processed) arrive(answer);
        else {
          landed?.();
          time.after(2 * tripMs(), () => answer({ status: 200, body: { success: true } }));
        }
        break;
      }
    }
  });
}

function replyOf({ status, body }: ModelAnswer, headers: Reply['headers'] = {}): Reply {
  return { kind: 'reply', status, headers, body: { ended: 'complete', text: JSON.stringify(body) } };
}

/** Done, and then told otherwise. */
function twisted(kind: Fault['kind'], { status, body }: ModelAnswer): ModelAnswer {
  const told = body as Record<string, unknown>;
  // Only a success can be twisted: the service has not done what it refused.
  if (told['success'] !== true) return { status, body };
  switch (kind) {
    case 'lying-401':
      return { status: 401, body: {} };
    case 'lying-429':
      return { status: 429, body: {} };
    case 'no-transaction-id':
      return { status, body: { success: true, message: 'Accepted' } };
    case 'refusal-with-id':
      return { status, body: { ...told, success: false, errorCode: 'E-PAY.S-78' } };
    default:
      return { status: 400, body: { success: false, message: 'No.', errorCode: 'E-PAY.S-79' } };
  }
}

function spoilt(fault: Fault, { status, body }: ModelAnswer): Reply {
  const text = JSON.stringify(body);
  const reply = { kind: 'reply', status, headers: {} } as const;
  switch (fault.kind) {
    case 'wrong-status':
      return { ...reply, status: fault.status, body: { ended: 'complete', text } };
    case 'html':
      return { ...reply, body: { ended: 'complete', text: '<html><h1>Welcome</h1></html>' } };
    case 'half-json':
      return { ...reply, body: { ended: 'complete', text: text.slice(0, text.length / 2) } };
    case 'cut-off':
      return { ...reply, body: { ended: 'cut-off' } };
    case 'half-in-time':
      return { ...reply, body: { ended: 'timed-out' } };
    default:
      return { ...reply, status: 400, body: { ended: 'complete', text: '{}' } };
  }
}

function skimmed(exchange: Exchange, { skim }: HttpRequest): Exchange {
  if (!skim || exchange.kind !== 'reply' || exchange.body.ended !== 'complete') return exchange;
  return {
    ...exchange,
    body: { ended: 'complete', text: `${skim(Buffer.from(exchange.body.text))}${skim()}` },
  };
}

function tellFault(fault: Fault): string {
  return Object.values(fault).join(' ');
}

function tellAnswer({ status, body }: ModelAnswer): string {
  const { success, errorCode, transactionId } = body as Record<string, unknown>;
  return [status, success, errorCode, transactionId].filter((part) => part !== undefined).join(' ');
}

function tellExchange(exchange: Exchange): string {
  if (exchange.kind === 'no-reply') return `${exchange.phase} ${exchange.cause}`;
  const { status, body } = exchange;
  return body.ended === 'complete' ? `${status} ${body.text.slice(0, 120)}` : `${status} ${body.ended}`;
}
