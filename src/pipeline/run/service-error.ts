import { withoutTrailing } from '../../domain/text/without-trailing.ts';
import { PayrunError } from '../../errors.ts';
import type { NotOk } from '../../service/call-outcome.ts';

/** A read that the command cannot do without has failed for good. */
export function serviceError(outcome: NotOk, what: string): PayrunError {
  const isRefused = outcome.reason === 'token-refused' || outcome.reason === 'unauthorised';
  const told = `${what}: ${withoutTrailing(outcome.cause, '.')}.`;
  const advice = isRefused
    ? 'Check PAYRUN_API_KEY and PAYRUN_PUBLIC_KEY.'
    : outcome.reason === 'tls-failed'
      ? 'Check the address (PAYRUN_BASE_URL). For an authority of your own name its certificate with PAYRUN_CA_FILE. Then run the same command again.'
      : outcome.sent
        ? 'Run the same command again later.'
        : 'Check the address (PAYRUN_BASE_URL) and the network, then run the same command again.';
  return new PayrunError(
    isRefused ? 'credentials-refused' : 'service-unreachable',
    `${told} Nothing was sent. ${advice}`,
    { messageAfterSends: `${told} ${advice}` },
  );
}
