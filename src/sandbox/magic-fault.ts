import type { PayoutRequest } from '../service/contract/payouts.ts';
import type { Fault } from './faults.ts';
import { type Fate, fateOf } from './magic.ts';
import type { World } from './route.ts';
import type { Request } from './service.ts';

const faultOfFate: Partial<Record<Fate, Fault>> = {
  slow: 'slow',
  'reply-lost': 'lost-reply',
  late: 'late-landing',
};

/** What a magic number does to the wire. Once for each reference: sending again gets a proper answer. */
export function magicFaultOf(world: World): (request: Request) => Fault | undefined {
  return (request) => {
    if (request.name !== 'createPayout') return undefined;
    const body = request.body as PayoutRequest;
    const number =
      body.payoutMethod?.accountNumber ??
      world.externalAccounts.find(body.externalAccountId ?? '')?.number ??
      '';
    const fault = faultOfFate[fateOf(number)];
    return fault !== undefined && world.faults.firstTime(`magic:${body.externalReference}`)
      ? fault
      : undefined;
  };
}
