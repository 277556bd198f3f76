import type { Clock } from '../clock.ts';
import type { Endpoint } from '../service/contract/endpoint.ts';
import { type EndpointName, endpoints } from '../service/contract/endpoints.ts';
import type { GroupCommit } from '../storage/group-commit.ts';
import type { DueEvent } from './background/due-events.ts';
import { invalid, type RouteResult } from './http/reply.ts';
import type { Call, Route, World } from './http/route.ts';
import * as charges from './routes/charges.ts';
import * as externalAccounts from './routes/external-accounts.ts';
import * as payouts from './routes/payouts.ts';
import * as transactions from './routes/transactions.ts';
import * as user from './routes/user.ts';
import * as utilities from './routes/utilities.ts';
import * as webhooks from './routes/webhooks.ts';

type RouteName = Exclude<EndpointName, 'exchangeToken'>;

const routes: { readonly [Name in RouteName]: Route<Name> } = {
  ...charges,
  ...externalAccounts,
  ...payouts,
  ...transactions,
  ...user,
  ...utilities,
  ...webhooks,
};

export interface Request {
  readonly name: RouteName;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly test: boolean;
}

/** Holds a request against the contract. What does not fit is said in a sentence, with the first thing wrong. */
export function parseRequest(request: Request): Request | RouteResult {
  const endpoint: Endpoint = endpoints[request.name];
  const parts = { ...request };
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint[part];
    if (!schema) continue;
    const parsed = schema.safeParse(request[part]);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
      return invalid(`${where}${issue?.message ?? 'invalid request'}`);
    }
    parts[part] = parsed.data;
  }
  return parts;
}

/**
 * The service itself, without HTTP: requests that fit the contract in, results out, and whatever has fallen due by
 * then carried out first, in the order of its times.
 */
export function createSandboxService(world: World, queue: GroupCommit, clock: Clock, onChange: () => void) {
  function runRoute(request: Request, atMs: number): RouteResult {
    const route = routes[request.name] as Route<EndpointName>;
    return route(world, { ...request, atMs } as Call<EndpointName>);
  }

  function carryOut(item: DueEvent): void {
    if (item.kind === 'succeed') world.transactions.succeed(item.subject, item.atMs);
    else if (item.kind === 'fail') world.transactions.fail(item.subject, item.atMs);
    else if (item.kind === 'give-back') world.transactions.giveBack(item.subject, item.atMs);
    else {
      // Nobody waits for the answer: its sender was cut off long ago. What a newer version cannot do is dropped.
      const request = JSON.parse(item.subject) as Request;
      if (Object.hasOwn(routes, request.name)) runRoute(request, item.atMs);
    }
  }

  /**
   * Inside a transaction, in the order of the times. A landing may add something that is due before what follows it,
   * so they are asked for again after each.
   */
  function catchUp(nowMs: number): void {
    for (let items = world.dueEvents.due(nowMs); items.length > 0; items = world.dueEvents.due(nowMs)) {
      for (const item of items) {
        world.dueEvents.remove(item);
        carryOut(item);
        if (item.kind === 'landing') break;
      }
    }
  }

  async function advance(): Promise<void> {
    const nextMs = world.dueEvents.nextMs();
    if (nextMs === undefined || nextMs > clock.nowMs()) return;
    // The commit itself carries out what is due.
    await queue.write(() => undefined);
    onChange();
  }

  return {
    advance,
    catchUp,

    async run(request: Request): Promise<RouteResult> {
      if (endpoints[request.name].effect === 'read') {
        await advance();
        return runRoute(request, clock.nowMs());
      }
      const result = await queue.write(() => runRoute(request, clock.nowMs()));
      onChange();
      return result;
    },

    /** The request arrives, but only later; its sender learns nothing. */
    async landLater(request: Request, delayMs: number): Promise<void> {
      await queue.write(() =>
        world.dueEvents.add(clock.nowMs() + delayMs, 'landing', JSON.stringify(request)),
      );
      onChange();
    },
  };
}

export type SandboxService = ReturnType<typeof createSandboxService>;
