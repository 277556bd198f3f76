import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../clock.ts';
import { minorFromDecimal } from '../domain/money/money.ts';
import { currencies } from '../domain/reference-data/countries.ts';
import { PayrunError } from '../errors.ts';
import { openapiDocument } from '../service/contract/openapi.ts';
import { createGroupCommit } from '../storage/group-commit.ts';
import { createDueEvents } from './background/due-events.ts';
import { startTicker } from './background/ticker.ts';
import { startWebhookCourier } from './background/webhook-courier.ts';
import { type FaultPlan, parseFaultPlan } from './faults/fault-plan.ts';
import { createFaults } from './faults/faults.ts';
import { createHttpServer } from './http/http-server.ts';
import { type Timings, type World, walletName } from './http/route.ts';
import { createControl } from './routes/control.ts';
import { createSandboxService } from './sandbox-service.ts';
import { createSettings, type Settings } from './settings.ts';
import { createDirectory } from './store/directory.ts';
import { createExternalAccounts } from './store/external-account-store.ts';
import { createLedger } from './store/ledger.ts';
import { openStore } from './store/open-store.ts';
import { worth } from './store/rates.ts';
import { createTokens } from './store/tokens.ts';
import { createTransactions } from './store/transactions.ts';
import { createWebhookRecords } from './store/webhook-records.ts';

export interface SandboxOptions extends Partial<Timings> {
  /** The file that keeps the state; undefined keeps none. */
  readonly statePath?: string | undefined;
  readonly port?: number;
  readonly host?: string;
  readonly clock?: Clock;
  readonly faults?: FaultPlan;
  readonly tokenLifetimeMs?: number;
  readonly webhookUrl?: string | undefined;
}

export interface Sandbox extends Pick<Settings, 'apiKey' | 'publicKey' | 'webhookSecret'> {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the whole service in this process. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const clock = options.clock ?? systemClock;
  const db = openStore(options.statePath);
  const settings = createSettings(db);
  const ledger = createLedger(db);
  const dueEvents = createDueEvents(db);
  const webhooks = createWebhookRecords(db, settings);
  const faults = createFaults(db, options.faults ?? parseFaultPlan('', '1'));
  const world: World = {
    settings,
    ledger,
    dueEvents,
    directory: createDirectory(db),
    transactions: createTransactions(db, ledger, webhooks),
    externalAccounts: createExternalAccounts(db),
    webhooks,
    faults,
    timings: {
      settleAfterMs: options.settleAfterMs ?? 1_000,
      returnAfterMs: options.returnAfterMs ?? 20_000,
    },
  };
  db.transaction(() => openWallets(world, clock.nowMs()))();
  if (options.webhookUrl !== undefined) {
    settings.changeProfile({ webhookUrl: options.webhookUrl, sandboxWebhookUrl: options.webhookUrl });
  }
  const queue = createGroupCommit(db, {
    onBegin: () => service.catchUp(clock.nowMs()),
    onUndone: ledger.forgetAccounts,
  });
  const courier = startWebhookCourier(webhooks, settings.webhookSecret, clock);
  const ticker = startTicker(dueEvents, clock, () => service.advance());
  const service = createSandboxService(world, queue, clock, () => {
    ticker.wake();
    if (webhooks.takeNews()) courier.wake();
  });
  const stopping = new AbortController();
  // Every request that is kept waiting listens, and Node takes more than ten of them for a leak.
  setMaxListeners(0, stopping.signal);
  const server = createHttpServer({
    service,
    control: createControl(world, queue, clock, service.advance),
    faults,
    tokens: createTokens(settings.tokenSecret, options.tokenLifetimeMs ?? 3_600_000, clock),
    settings,
    clock,
    stopping: stopping.signal,
    openapi,
  });
  const stop = async () => {
    await Promise.all([ticker.stop(), courier.stop()]);
    db.close();
  };
  const host = options.host ?? '127.0.0.1';
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port ?? 0, host, resolve);
    });
  } catch (error) {
    await stop();
    throw cannotListen(error as NodeJS.ErrnoException, host, options.port ?? 0);
  }
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    apiKey: settings.apiKey,
    publicKey: settings.publicKey,
    webhookSecret: settings.webhookSecret,
    async close() {
      stopping.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await stop();
    },
  };
}

let document: ReturnType<typeof openapiDocument> | undefined;

/** Made once, when somebody first asks. */
function openapi(): unknown {
  document ??= openapiDocument();
  return document;
}

function openWallets(world: World, atMs: number): void {
  if (!world.settings.firstTime('wallets-opened')) return;
  for (const { code, decimals, walletCountries } of currencies) {
    for (const country of walletCountries) {
      world.ledger.transfer({
        atMs,
        kind: 'opening balance',
        from: `outside:${code}`,
        to: walletName(code, country),
        amountMinor: minorFromDecimal(worth[code]?.opening ?? '0', decimals) ?? 0n,
      });
    }
  }
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): PayrunError {
  const advice =
    error.code === 'EADDRINUSE'
      ? 'The port is taken: choose another with --port, or 0 for any free one.'
      : error.message;
  return new PayrunError('cannot-listen', `The sandbox cannot listen on ${host}:${port}. ${advice}`, {
    cause: error,
  });
}
