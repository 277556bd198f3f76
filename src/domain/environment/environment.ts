import { readableText } from '../text/readable-text.ts';

/** Which of the three kinds of service a run speaks to. Each has a journal of its own. */
export type EnvironmentKind = 'sandbox' | 'test' | 'live';

/**
 * Where a batch is paid: the service, and all that tells one of its accounts apart from another. The API key is no part
 * of it: it is a secret, and a new one opens the same account.
 */
export interface Environment {
  /** Base URL and prefix. */
  readonly place: string;
  /** Empty: the profile shows none. Undefined, here and below: a journal of an earlier version did not keep it. */
  readonly email: string | undefined;
  /** The mark of the public key that the profile shows. */
  readonly profileKey: string | undefined;
  /** The mark of the public key that was configured. */
  readonly configuredKey: string | undefined;
}

export type EnvironmentPart = keyof Environment;

export interface EnvironmentChange {
  readonly part: EnvironmentPart;
  readonly was: string;
  readonly now: string;
}

const parts = ['place', 'email', 'profileKey', 'configuredKey'] as const satisfies EnvironmentPart[];

/** What differs. What was not kept cannot differ: whoever pays by it must have that proven in another way. */
export function environmentChanges(was: Environment, now: Environment): EnvironmentChange[] {
  return parts.flatMap((part) => {
    const [before, after] = [was[part], now[part]];
    if (before === undefined || after === undefined || before === after) return [];
    return [{ part, was: before, now: after }];
  });
}

/** Whether all that tells accounts apart is known of it. */
export function isWholeEnvironment(environment: Environment): boolean {
  return parts.every((part) => environment[part] !== undefined);
}

/** One text for one environment: what the journal keeps, and what it finds again by it. */
export function environmentKey(environment: Environment): string {
  return JSON.stringify(parts.map((part) => environment[part] ?? null));
}

export function environmentFromKey(key: string): Environment {
  const [place, email, profileKey, configuredKey] = JSON.parse(key) as (string | null)[];
  return {
    place: place ?? '',
    email: email ?? undefined,
    profileKey: profileKey ?? undefined,
    configuredKey: configuredKey ?? undefined,
  };
}

/** The same as a journal of an earlier version is brought forward: it knows the e-mail, if there was one. */
export function environmentAsBefore({ place, email }: Environment): Environment {
  return { place, email: email || undefined, profileKey: undefined, configuredKey: undefined };
}

/** As people are shown it: the place, and whom they know the account by. */
export function environmentText({ place, email, profileKey }: Environment): string {
  return `${place} ${readableText(email || profileKey || '')}`.trim();
}
