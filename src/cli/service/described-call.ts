import type { HandCall, HandOptions, HandReply, HandRequest, ServiceByHand } from '../../index.ts';
import type { ServiceText } from '../../report/service-text.ts';
import type { WorkspaceFlags } from '../flags/workspace-flags.ts';

/** What a person wants of the service, before it is asked for. */
export interface Wanted<Name extends HandCall> extends HandOptions {
  readonly request: HandRequest<Name>;
  /** What it changes at the service, as a sentence to say yes to. Every call that changes something has one. */
  readonly changes?: string;
}

/** What is shown of a reply: words for people, data for machines. */
export interface Shown {
  readonly text: ServiceText;
  readonly data: unknown;
  /** Of a list that is shown in part, how many there are. */
  readonly count?: number;
}

/** One endpoint, as a command of it is described. */
export interface DescribedCall<Name extends HandCall, Flags> {
  readonly call: Name;
  readonly says: string;
  /** What `--help` shows as an example, without `payrun service`. */
  readonly example: string;
  readonly want: (flags: Flags & CommonFlags) => Wanted<Name> | Promise<Wanted<Name>>;
  /** Where it is more than one call to the service. */
  readonly send?: (service: ServiceByHand, flags: Flags & CommonFlags) => Promise<HandReply<Name>>;
  readonly show: (reply: HandReply<Name>, flags: Flags & CommonFlags, request: HandRequest<Name>) => Shown;
}

export type CommonFlags = WorkspaceFlags & {
  readonly json: boolean;
  readonly show: boolean;
  readonly yes?: boolean | undefined;
};
