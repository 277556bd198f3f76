import type * as z from 'zod';
import { hasSeveralWallets } from '../../domain/reference-data/countries.ts';
import type { EndpointName, endpoints } from '../../service/contract/endpoints.ts';
import type { DueEvents } from '../background/due-events.ts';
import type { Faults } from '../faults/faults.ts';
import type { Settings } from '../settings.ts';
import type { Directory } from '../store/directory.ts';
import type { ExternalAccounts } from '../store/external-account-store.ts';
import type { Ledger } from '../store/ledger.ts';
import type { Transactions } from '../store/transactions.ts';
import type { WebhookRecords } from '../store/webhook-records.ts';
import type { RouteResult } from './reply.ts';

/** Everything a route may touch. */
export interface World {
  readonly settings: Settings;
  readonly ledger: Ledger;
  readonly dueEvents: DueEvents;
  readonly directory: Directory;
  readonly transactions: Transactions;
  readonly externalAccounts: ExternalAccounts;
  readonly webhooks: WebhookRecords;
  readonly faults: Faults;
  readonly timings: Timings;
}

export interface Timings {
  /** From acceptance to success or failure. */
  readonly settleAfterMs: number;
  /** From success to the return of the money. */
  readonly returnAfterMs: number;
}

type Output<E, Key extends string> = E extends { readonly [K in Key]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;

export interface Call<Name extends EndpointName> {
  readonly params: Output<(typeof endpoints)[Name], 'params'>;
  readonly query: Output<(typeof endpoints)[Name], 'query'>;
  readonly body: Output<(typeof endpoints)[Name], 'body'>;
  /** Came in under the sandbox prefix. */
  readonly test: boolean;
  readonly atMs: number;
}

/** Routes are synchronous: one runs to its end inside one database transaction. */
export type Route<Name extends EndpointName> = (world: World, call: Call<Name>) => RouteResult;

/** Names of walled-off money: a currency that can exist in several countries has one wallet in each. */
export function walletName(currency: string, country: string): string {
  return hasSeveralWallets(currency) ? `wallet:${currency}:${country}` : `wallet:${currency}`;
}
