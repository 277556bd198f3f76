import { PayrunError } from '../errors.ts';
import { serviceError } from '../pipeline/run/service-error.ts';
import type { NotOk, Outcome } from '../service/call-outcome.ts';
import type { Service } from '../service/client.ts';
import type { Endpoint, ReplyOf, RequestOf } from '../service/contract/endpoint.ts';
import { type EndpointName, endpoints } from '../service/contract/endpoints.ts';
import type { ExternalAccount } from '../service/contract/external-accounts.ts';
import type { CallOptions } from '../service/sender.ts';
import { requestFaults } from './request-faults.ts';

/** Every call but two: only a run pays, and tokens are the client's own business. */
export type HandCall = Exclude<EndpointName, 'createPayout' | 'exchangeToken'>;
export type HandRequest<Name extends HandCall> = RequestOf<(typeof endpoints)[Name]>;
export type HandReply<Name extends HandCall> = ReplyOf<(typeof endpoints)[Name]>;

export interface HandOptions {
  /** Never to be seen again, wherever the service repeats it. */
  readonly secrets?: readonly string[] | undefined;
  /** The command that shows whether something was done that got no clear answer. */
  readonly look?: string | undefined;
}

/** The endpoints of a service, one call at a time, for a person. What a call does not come to is thrown. */
export interface ServiceByHand {
  readonly place: string;
  /** Whether the call changes something at the service. */
  changes(name: HandCall): boolean;
  /** Throws where the contract does not take the request, before anybody is asked about it. */
  check<Name extends HandCall>(name: Name, request: HandRequest<Name>): void;
  call<Name extends HandCall>(
    name: Name,
    request: HandRequest<Name>,
    options?: HandOptions,
  ): Promise<HandReply<Name>>;
  /** The first of all stored accounts, and how many there are. The list has no pages and may be long. */
  accounts(most: number): Promise<{ readonly data: readonly ExternalAccount[]; readonly count: number }>;
}

export function serviceByHand({ service, place }: Access): ServiceByHand {
  const check: ServiceByHand['check'] = (name, request) => {
    const faults = requestFaults(endpointOf(name), request);
    if (faults.length > 0) {
      throw new PayrunError('request-invalid', `Nothing was sent: ${faults.join('; ')}.`);
    }
  };
  return {
    place,
    changes: (name) => endpointOf(name).effect !== 'read',
    check,
    async call<Name extends HandCall>(name: Name, request: HandRequest<Name>, options: HandOptions = {}) {
      check(name, request);
      // Which method goes with which request is in the table; only the compiler cannot see it through the name.
      const method = service[name] as unknown as Method<Name>;
      const outcome = await method(request, { secrets: options.secrets });
      if (outcome.kind === 'ok') return outcome.value;
      throw callError(outcome, endpointOf(name), options.look);
    },
    async accounts(most) {
      const data: ExternalAccount[] = [];
      let count = 0;
      const begin = () => {
        data.length = 0;
        count = 0;
      };
      const take = (items: readonly ExternalAccount[]) => {
        data.push(...items.slice(0, most - data.length));
        count += items.length;
      };
      const outcome = await service.listExternalAccounts({}, { into: { begin, take } });
      if (outcome.kind === 'ok') return { data, count };
      throw callError(outcome, endpoints.listExternalAccounts, undefined);
    },
  };
}

interface Access {
  readonly service: Service;
  readonly place: string;
}

type Method<Name extends HandCall> = (
  request: HandRequest<Name>,
  options: CallOptions,
) => Promise<Outcome<HandReply<Name>>>;

const notByHand: readonly string[] = ['createPayout', 'exchangeToken'];

/** Also for a caller who has no types: by this way nobody is paid. */
function endpointOf(name: HandCall): Endpoint {
  if (notByHand.includes(name) || !Object.hasOwn(endpoints, name))
    throw new PayrunError('usage', `There is no call "${name}" by hand: only payrun run pays.`);
  return endpoints[name];
}

function callError(outcome: NotOk, { effect }: Endpoint, look: string | undefined): PayrunError {
  const told = `${outcome.cause.slice(0, 1).toUpperCase()}${outcome.cause.slice(1)}.`;
  if (outcome.kind === 'refused') {
    return new PayrunError('service-refused', effect === 'read' ? told : `${told} Nothing was done.`);
  }
  if (outcome.kind === 'unknown' && effect !== 'read') {
    const advice = look === undefined ? '' : ` Look first: ${look}`;
    return new PayrunError(
      'service-unclear',
      `${told} It may have been done: doing it again may do it twice.${advice}`,
    );
  }
  // A refusal without a code is no matter of address and network: it would come again.
  if (outcome.reason === 'no-error-code') return new PayrunError('service-refused', told);
  return serviceError(outcome, 'The call came to nothing');
}
