import { exitCode, PayrunError } from '../errors.ts';
import type { NotOk } from '../service/call-outcome.ts';

/** A read that the command cannot do without has failed for good, and nothing was sent. */
export function serviceTrouble(outcome: NotOk, what: string): PayrunError {
  const message = `${what}: ${outcome.sentence.replace(/\.$/, '')}. Nothing was sent.`;
  if (outcome.reason === 'token-refused' || outcome.reason === 'unauthorised') {
    return new PayrunError(
      'credentials-refused',
      exitCode.credentialsRefused,
      `${message} Check PAYRUN_API_KEY and PAYRUN_PUBLIC_KEY.`,
    );
  }
  return new PayrunError('service-unreachable', exitCode.serviceUnreachable, message);
}
