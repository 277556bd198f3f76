export type ConnectionReason = 'connection-refused' | 'host-not-found' | 'tls-failed' | 'connection-failed';

/**
 * Why no connection came about. Only the error's code is read: its message may hold addresses, and nothing here
 * decides about money, because nothing was sent.
 */
export function connectionError(error: unknown): {
  readonly reason: ConnectionReason;
  readonly cause: string;
} {
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') {
    return {
      reason: 'connection-refused',
      cause: 'the service refused the connection',
    };
  }
  if (/^(ENOTFOUND|EAI_[A-Z]+)$/.test(code)) {
    return {
      reason: 'host-not-found',
      cause: `the name of the service's host was not found (${code})`,
    };
  }
  if (
    /^EPROTO$|_TLS_|_SSL_|CERT|SIGNATURE|ISSUER|CRL|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH/.test(code)
  ) {
    return {
      reason: 'tls-failed',
      cause: `no secure connection to the service came about (${code})`,
    };
  }
  const named = code ? ` (${code})` : '';
  return {
    reason: 'connection-failed',
    cause: `no connection to the service came about${named}`,
  };
}

/** In capitals, as Node and the system write them; empty where it has none. */
export function codeOf(error: unknown): string {
  // Where several addresses were tried each failed in its own way: the first is as good as any.
  const first = error instanceof AggregateError && Array.isArray(error.errors) ? error.errors[0] : undefined;
  for (const candidate of [error, first]) {
    if (typeof candidate !== 'object' || candidate === null) continue;
    const { code } = candidate as { code?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return code;
  }
  return '';
}
