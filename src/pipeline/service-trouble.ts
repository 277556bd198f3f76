import { exitCode, PayrunError } from '../errors.ts';
import type { NotOk } from '../service/call-outcome.ts';

/** A read that the command cannot do without has failed for good, and nothing was sent. */
export function serviceTrouble(outcome: NotOk, what: string): PayrunError {
  const message = `${what}: ${causeOf(outcome.sentence)}. Nothing was sent.`;
  if (outcome.reason === 'token-refused' || outcome.reason === 'unauthorised') {
    return new PayrunError(
      'credentials-refused',
      exitCode.credentialsRefused,
      `${message} Check PAYRUN_API_KEY and PAYRUN_PUBLIC_KEY.`,
    );
  }
  const advice = outcome.sent
    ? 'Run the same command again later.'
    : 'Check the address (PAYRUN_BASE_URL) and the network, then run the same command again.';
  return new PayrunError('service-unreachable', exitCode.serviceUnreachable, `${message} ${advice}`);
}

/**
 * What became of one call, as a part of a longer sentence. That the call itself sent nothing is left out: of the run
 * around it, that would be another claim. Which call met the trouble first is nothing to a person either.
 */
export function causeOf(sentence: string): string {
  const cause = sentence
    .replace(/^There is no token for the call: /, '')
    .replace(/; nothing was sent\.?$/, '')
    .replace(/\.$/, '');
  return cause.replace(/^[A-Z](?=[a-z' ])/, (letter) => letter.toLowerCase());
}
