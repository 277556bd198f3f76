import { referenceOf } from '../../../src/domain/reference.ts';
import type { Exchange, Reply } from '../../../src/service/exchange.ts';
import type { HttpRequest } from '../../../src/service/transport.ts';
import { seededChance } from '../../support/chance.ts';
import type { Violation } from '../oracle.ts';
import type { SimulatedProcess } from './machine.ts';
import type { ModelAnswer, ModelService } from './model-service.ts';
import type { RightPayees } from './right-payees.ts';
import type { VirtualTime } from './virtual-time.ts';
import type { Fault, FaultKind, Weather } from './weather.ts';

/** A call as the trace tells it. */
export interface Call {
  readonly text: string;
  readonly isPayout: boolean;
  /** Of a payout or a look-up; empty otherwise. */
  readonly reference: string;
  /** Where a payout goes. */
  readonly externalAccountId?: string | undefined;
}

/** Which payout a reference stands for, worked out apart from the journal. */
export interface Meaning {
  readonly batch: string;
  readonly key: string;
  readonly attempt: number;
}

export interface WorldParts {
  readonly seed: number;
  readonly time: VirtualTime;
  readonly service: ModelService;
  readonly weather: Weather;
  readonly payees: RightPayees;
  /** The latest that a request lands after its send ended: what the design's quiet period is there for. */
  readonly latestLandingMs: number;
}

const mostAttempts = 12;

/** Everything outside payrun, and what is written down about it. */
export function createWorld({ seed, time, service, weather, payees, latestLandingMs }: WorldParts) {
  const chance = seededChance(seed * 31 + 7);
  const trace: string[] = [];
  const violations: Violation[] = [];
  const faults: Partial<Record<FaultKind, number>> = {};
  const meanings = new Map<string, Meaning>();
  const stuck = new Map<string, HttpRequest>();
  const onTheWay = new Map<string, number>();
  const sends = new Map<string, number>();
  const plainRefusals = new Map<string, number>();
  const counts = {
    payouts: 0,
    resends: 0,
    crashes: 0,
    revivals: 0,
    mixedKeys: 0,
    rebinds: 0,
    rebindsInVain: 0,
    forgeries: 0,
    /** For a connection, with their intent on disk. */
    sendsThatWaited: 0,
  };

  const labelOf = (reference: string) => {
    const meaning = meanings.get(reference);
    return meaning ? `${meaning.batch}/${meaning.key}#${meaning.attempt}` : 'unknown';
  };
  const tell = (process: SimulatedProcess | undefined, line: string) => {
    const plain = line
      .replace(uuid, (found) => (meanings.has(found) ? labelOf(found) : '<uuid>'))
      .replace(folder, '');
    trace.push(`${(time.worldMs() / 1000).toFixed(3).padStart(10)} ${process?.name ?? '-'} ${plain}`);
  };
  const violate = (kind: Violation['kind'], text: string) => {
    tell(undefined, `VIOLATION ${kind}: ${text}`);
    violations.push({ kind, replay: `seed ${seed}`, text: text.replace(uuid, (found) => labelOf(found)) });
  };

  return {
    seed,
    time,
    service,
    weather,
    payees,
    chance,
    latestLandingMs,
    trace,
    violations,
    faults,
    counts,
    tell,
    violate,

    /** From now on the references of this payment can be told. */
    learn(batch: string, kind: 'paymentId' | 'payee', key: string): void {
      for (let attempt = 1; attempt <= mostAttempts; attempt += 1)
        meanings.set(referenceOf(batch, kind, key, attempt), { batch, key, attempt });
    },
    meaningOf: (reference: string): Meaning | undefined => meanings.get(reference),

    nameOf(request: HttpRequest): Call {
      const path = request.path.replace('/api/b2b', '');
      if (path === '/fiat/payout') {
        const body = JSON.parse(request.body ?? '{}') as Record<string, string>;
        const { externalReference: reference = '', externalAccountId } = body;
        return { text: `payout ${labelOf(reference)}`, isPayout: true, reference, externalAccountId };
      }
      const [, searched] = /externalReference=([^&]+)/.exec(path) ?? [];
      if (searched !== undefined)
        return { text: `list ${labelOf(searched)}`, isPayout: false, reference: searched };
      return { text: `${request.method} ${path}`, isPayout: false, reference: '' };
    },

    countFault(kind: FaultKind): void {
      if (kind !== 'none') faults[kind] = (faults[kind] ?? 0) + 1;
    },

    /** A payout leaves a process. Gives what is to be called once it cannot land any more. */
    payoutLeaves(process: SimulatedProcess, { reference, externalAccountId = '' }: Call): () => void {
      counts.payouts += 1;
      if (sends.has(reference)) counts.resends += 1;
      sends.set(reference, (sends.get(reference) ?? 0) + 1);
      if (!process.hasIntent(reference))
        violate('blind', `${labelOf(reference)} was sent before its intent was on disk`);
      const meaning = meanings.get(reference);
      if (!meaning) violate('blind', `a payout was sent under a reference that no payment has`);
      else if (!earlierEnded(meaning))
        violate(
          'blind',
          `${labelOf(reference)} was sent though the attempt before it neither failed nor is burnt`,
        );
      if (meaning) judgePayee(process, meaning, externalAccountId);
      if (process.account !== 'A' || process.elsewhere.has(meaning?.batch ?? ''))
        violate('blind', `${labelOf(reference)} was sent as another account than its batch was begun with`);
      onTheWay.set(reference, (onTheWay.get(reference) ?? 0) + 1);
      let over = false;
      return () => {
        if (!over) onTheWay.set(reference, (onTheWay.get(reference) ?? 1) - 1);
        over = true;
      };
    },
    /** An answer has come to whoever sent it. */
    payoutAnswered(reference: string, exchange: Exchange): void {
      if (isPlainRefusal(exchange)) plainRefusals.set(reference, (plainRefusals.get(reference) ?? 0) + 1);
    },
    /** Whether every send of it was told no, with a code: nothing about it is unknown. */
    wasPlainlyRefused: (reference: string): boolean =>
      sends.has(reference) && sends.get(reference) === plainRefusals.get(reference),
    /** The reference of the last attempt that was sent for a payment. */
    lastSent: (batch: string, key: string): string | undefined =>
      [...meanings].findLast(
        ([reference, each]) => each.batch === batch && each.key === key && sends.has(reference),
      )?.[0],
    /** Whether anything that was sent for a payment may still reach the service. */
    mayStillLand,

    /**
     * What was called failed is paid after all. Only where no other attempt has paid or may still land, in this batch or in a
     * copy of it: of two that pay behind its back payrun can do no more than tell.
     */
    reviveSome(isChosen: () => boolean): void {
      const revived = service.reviveSome(({ reference }) => {
        const meaning = meanings.get(reference);
        if (!meaning || batchesOf(meaning.key).some((batch) => mayStillLand(batch, meaning.key)))
          return false;
        // The worst moment: a further attempt was sent, and nobody knows that it never came.
        if (!isChosen() && !(isSentAgain(meaning) && isChosen())) return false;
        return service.ledger().every((entry) => {
          const isSame = meanings.get(entry.reference)?.key === meaning.key;
          return !isSame || (entry.status === 'FAILED' && !entry.returned);
        });
      });
      for (const reference of revived) {
        counts.revivals += 1;
        tell(undefined, `${labelOf(reference)} was called failed and is paid after all`);
      }
    },

    /** Held up somewhere on the way, until the next request of its kind comes by. */
    stick: (call: Call, request: HttpRequest): void => void stuck.set(call.reference, request),
    unstick(call: Call): ModelAnswer | undefined {
      const held = call.isPayout ? stuck.get(call.reference) : undefined;
      if (!held) return undefined;
      stuck.delete(call.reference);
      onTheWay.set(call.reference, (onTheWay.get(call.reference) ?? 0) + 1);
      time.after(chance() * latestLandingMs, () => {
        onTheWay.set(call.reference, (onTheWay.get(call.reference) ?? 1) - 1);
        service.handle(held, { entered: true });
        tell(undefined, `  what was stuck of ${call.text} has landed`);
      });
      return { status: 400, body: { success: false, message: 'Not now.', errorCode: 'E-PAY.S-80' } };
    },

    /** What is stuck now will never land. */
    dropStuck: (): void => stuck.clear(),

    /** Nothing was done, and the service says so. */
    refusal(fault: Fault): Reply {
      const body = { ended: 'complete', text: '{"success":false}' } as const;
      if (fault.kind !== 'too-many') return { kind: 'reply', status: 401, headers: {}, body };
      const waitS = Math.ceil(chance() * 20);
      const date = new Date(time.trueWallMs() + waitS * 1000).toUTCString();
      const headers = { seconds: { 'retry-after': `${waitS}` }, date: { 'retry-after': date }, none: {} };
      return { kind: 'reply', status: 429, headers: headers[fault.retryAfter], body };
    },
  };

  function judgePayee(process: SimulatedProcess, { batch, key }: Meaning, externalAccountId: string): void {
    const account = service.placeOf(process.account, externalAccountId);
    const why = account && payees.whyWrong(batch, key, account);
    if (why !== undefined) violate('wrong-payee', `${batch}/${key} was sent to ${externalAccountId}: ${why}`);
  }

  function isSentAgain({ batch, key, attempt }: Meaning): boolean {
    return [...meanings].some(
      ([reference, each]) =>
        each.batch === batch && each.key === key && each.attempt > attempt && sends.has(reference),
    );
  }

  function batchesOf(key: string): string[] {
    return [...new Set([...meanings.values()].flatMap((each) => (each.key === key ? [each.batch] : [])))];
  }

  function mayStillLand(batch: string, key: string): boolean {
    return [...meanings].some(
      ([reference, each]) =>
        each.batch === batch &&
        each.key === key &&
        ((onTheWay.get(reference) ?? 0) > 0 || stuck.has(reference)),
    );
  }

  /** A new attempt is begun only where the one before it has failed, or can never be used. */
  function earlierEnded({ batch, key, attempt }: Meaning): boolean {
    for (const [reference, each] of meanings) {
      if (each.batch !== batch || each.key !== key || each.attempt >= attempt) continue;
      const entries = service.ledger().filter((entry) => entry.reference === reference);
      const failed =
        entries.length > 0 &&
        entries.every(({ status, isContradictory }) => status === 'FAILED' && !isContradictory);
      if (!failed && !service.isBurnt(reference)) return false;
    }
    return true;
  }
}

function isPlainRefusal(exchange: Exchange): boolean {
  if (exchange.kind !== 'reply' || exchange.body.ended !== 'complete') return false;
  return (
    /^\{"success":false.*"errorCode":"E-PAY.S-77"\}$/.test(exchange.body.text) &&
    [200, 400].includes(exchange.status)
  );
}

export type World = ReturnType<typeof createWorld>;

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Of the machine: another one for every process that replays the seed. */
const folder = /\S*payrun-simulator-\d+-\d+\//g;
