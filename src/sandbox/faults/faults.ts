import type { Database } from 'better-sqlite3';
import { type EndpointName, endpoints } from '../../service/contract/endpoints.ts';
import { drawnFaults, type Fault, type FaultPlan } from './fault-plan.ts';
import { seededRandom } from './seeded-random.ts';

/** An answer ordered for the next requests to an endpoint, whatever the rates say. */
export interface OrderedAnswer {
  readonly endpoint: EndpointName;
  readonly fault?: Fault | undefined;
  readonly errorCode?: string | undefined;
  readonly status?: number | undefined;
  readonly retryAfter?: string | undefined;
  times: number;
}

/**
 * Decides which requests go wrong. A draw depends on the seed, the fault, what is asked and how often it was asked
 * before, not on the order of arrival: the same seed gives the same faults under any concurrency, and a request
 * that is sent again draws anew. The counts are kept, so a restarted service does not begin its bad luck again;
 * only storms are counted from each start.
 */
export function createFaults(db: Database, initial: FaultPlan) {
  let plan = initial;
  const ordered: OrderedAnswer[] = [];
  const requests = { 'storm-401': 0, 'storm-429': 0 };
  const countDraw = db
    .prepare<[string], number>(
      `INSERT INTO fault_draws (subject, count) VALUES (?, 1)
       ON CONFLICT (subject) DO UPDATE SET count = count + 1 RETURNING count`,
    )
    .pluck();

  function inStorm(kind: 'storm-401' | 'storm-429'): boolean {
    const rate = plan.rates[kind] ?? 0;
    if (rate === 0) return false;
    const block = Math.floor(requests[kind] / plan.stormLength);
    requests[kind] += 1;
    return seededRandom(`${plan.seed}:${kind}:${block}`) < rate;
  }

  return {
    plan: () => plan,
    change: (next: FaultPlan) => {
      plan = next;
    },
    order: (answer: OrderedAnswer) => void ordered.push(answer),

    /** True once for a subject, over all restarts. */
    firstTime: (subject: string): boolean => countDraw.get(subject) === 1,

    takeOrdered(endpoint: EndpointName): OrderedAnswer | undefined {
      const index = ordered.findIndex((each) => each.endpoint === endpoint);
      const answer = ordered[index];
      if (!answer) return undefined;
      answer.times -= 1;
      if (answer.times <= 0) ordered.splice(index, 1);
      return answer;
    },

    draw(endpoint: EndpointName, subject: string): Fault | undefined {
      if (!plan.anyRate || !touches(plan, endpoint)) return undefined;
      if (inStorm('storm-401')) return 'storm-401';
      if (inStorm('storm-429')) return 'storm-429';
      // A storm is drawn for a block of requests, whatever they ask: it is weather, not bad luck.
      const text = `${endpoint}:${subject}`;
      const count = countDraw.get(text) ?? 1;
      return drawnFaults.find((fault) => {
        const rate = plan.rates[fault] ?? 0;
        if (rate === 0 || fault in requests) return false;
        if (fault === 'late-landing' && endpoints[endpoint].effect === 'read') return false;
        return seededRandom(`${plan.seed}:${fault}:${text}:${count}`) < rate;
      });
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;

/** The token exchange goes wrong only when it is named: otherwise a storm could never be told from bad credentials. */
function touches(plan: FaultPlan, endpoint: EndpointName): boolean {
  return plan.on === undefined ? endpoint !== 'exchangeToken' : plan.on.includes(endpoint);
}
