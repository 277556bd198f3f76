import { authoriseCharge, chargeByBankTransfer, chargeByCard, chargeByMomo } from './charges.ts';
import type { Endpoint } from './endpoint.ts';
import {
  createExternalAccount,
  deleteExternalAccount,
  listExternalAccounts,
  readExternalAccount,
  updateExternalAccount,
} from './external-accounts.ts';
import { createPayout } from './payouts.ts';
import { exchangeToken } from './token.ts';
import { listTransactions, readTransaction } from './transactions.ts';
import { readUser } from './user.ts';
import { listBranches, listCountries, listRates, resolveAccount } from './utilities.ts';
import { listWebhooks, readWebhook, resendWebhook, simulateWebhook } from './webhooks.ts';

/** The whole service. Client, embedded service and OpenAPI document are made from this one list. */
export const endpoints = {
  exchangeToken,
  readUser,
  listTransactions,
  readTransaction,
  chargeByCard,
  chargeByMomo,
  chargeByBankTransfer,
  authoriseCharge,
  createPayout,
  createExternalAccount,
  listExternalAccounts,
  readExternalAccount,
  updateExternalAccount,
  deleteExternalAccount,
  resolveAccount,
  listRates,
  listBranches,
  listCountries,
  listWebhooks,
  readWebhook,
  resendWebhook,
  simulateWebhook,
} satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
