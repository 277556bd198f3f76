import * as z from 'zod';
import { assumed } from './assumptions.ts';
import type { Endpoint } from './endpoint.ts';
import { shortText, succeeded } from './fields.ts';

export const tokenReply = z
  .looseObject({ success: succeeded, token: z.string().min(1), expiresAt: z.number().int().positive() })
  .meta({ id: 'Token' });

export const exchangeToken = {
  method: 'POST',
  path: '/auth/generate-bearer-token',
  tag: 'Authentication',
  summary: 'Exchange the API key and the public key for a bearer token',
  effect: 'read',
  credential: 'api-key',
  body: assumed('token-call', z.strictObject({ publicKey: shortText })),
  reply: tokenReply,
} satisfies Endpoint;
