import * as z from 'zod';
import { assumed } from './assumptions.ts';
import type { Endpoint } from './endpoint.ts';
import { amountReply, succeeded, tellingText } from './fields.ts';

export const wallet = assumed(
  'wallets',
  z.looseObject({
    balance: amountReply,
    scopes: z.array(z.looseObject({ country: z.string(), balance: amountReply })).optional(),
  }),
);

export const userProfile = z
  .looseObject({
    success: succeeded,
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    email: tellingText.optional(),
    publicKey: tellingText.optional(),
    webhookUrl: z.string().nullish(),
    sandboxWebhookUrl: z.string().nullish(),
    KESWallet: wallet.optional(),
  })
  .meta({ id: 'UserProfile', description: 'One <CUR>Wallet entry for each currency held' });

export type UserProfile = z.output<typeof userProfile>;

export const readUser = {
  method: 'GET',
  path: '/users',
  tag: 'User',
  summary: 'The profile of the authenticated user, with wallet balances',
  effect: 'read',
  reply: userProfile,
} satisfies Endpoint;
