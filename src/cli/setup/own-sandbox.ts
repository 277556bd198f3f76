import { createHash } from 'node:crypto';
import type { Environment } from '../../domain/environment/environment.ts';
import { isLoopback } from '../../domain/environment/is-loopback.ts';
import { publicKeyMark } from '../../domain/environment/public-key-mark.ts';
import { withoutTrailing } from '../../domain/text/without-trailing.ts';

/** What `payrun sandbox` has people export beside address and keys. */
export const sandboxMarkVariable = 'PAYRUN_SANDBOX_MARK';

interface SandboxAccess {
  readonly baseUrl: string;
  readonly publicKey: string;
}

/**
 * What says that an address of this machine, with this public key, is a sandbox of ours. It comes from the sandbox through
 * the hands of a person: no answer of a service can make it, and it says nothing of another address or another key.
 * Undefined where the address is none of this machine's.
 */
export function sandboxMark({ baseUrl, publicKey }: SandboxAccess): string | undefined {
  if (publicKey === '' || !URL.canParse(baseUrl) || !isLoopback(new URL(baseUrl).hostname)) return undefined;
  const named = JSON.stringify(['payrun sandbox', withoutTrailing(baseUrl, '/'), publicKey]);
  return createHash('sha256').update(named).digest('hex').slice(0, 32);
}

/** Whether a batch was paid at that address and under that key. */
export function isPaidAt(
  { baseUrl, publicKey }: SandboxAccess,
  { place, configuredKey }: Environment,
): boolean {
  if (!URL.canParse(baseUrl) || !URL.canParse(place)) return false;
  return new URL(place).origin === new URL(baseUrl).origin && configuredKey === publicKeyMark(publicKey);
}

export function isOwnSandbox(access: SandboxAccess, given: string | undefined): boolean {
  return given !== undefined && given !== '' && given === sandboxMark(access);
}
