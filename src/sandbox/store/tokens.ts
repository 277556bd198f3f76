import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../clock.ts';
import { newId } from './new-id.ts';

const rememberedTokens = 1000;

/** Real signed tokens that expire. A verified one is remembered until then: verifying costs more than the rest. */
export function createTokens(secret: string, lifetimeMs: number, clock: Clock) {
  const key = new TextEncoder().encode(secret);
  const verified = new Map<string, number>();

  return {
    async issue(publicKey: string): Promise<{ token: string; expiresAt: number }> {
      const issuedAt = Math.floor(clock.nowMs() / 1000);
      const expiresAt = issuedAt + Math.max(1, Math.floor(lifetimeMs / 1000));
      const token = await new SignJWT({})
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(publicKey)
        .setJti(newId())
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key);
      return { token, expiresAt };
    },

    async verify(token: string): Promise<boolean> {
      const expiresAt = verified.get(token);
      if (expiresAt !== undefined) return clock.nowMs() < expiresAt * 1000;
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          currentDate: new Date(clock.nowMs()),
        });
        if (verified.size >= rememberedTokens) verified.clear();
        verified.set(token, payload.exp ?? 0);
        return payload.exp !== undefined;
      } catch {
        return false;
      }
    },
  };
}

export type Tokens = ReturnType<typeof createTokens>;
