import { isPublicKey } from './signing-key.ts';

/** Somebody who may plan, and may approve what another has planned. */
export interface Approver {
  readonly key: string;
  readonly name: string;
}

/** So many people besides the planner have to approve a plan before it is paid. */
export interface ApprovalPolicy {
  readonly needed: number;
  readonly approvers: readonly Approver[];
}

/** What the configuration asks for, and what the journal has seen it ask for: undefined, nothing. */
export interface ApprovalPolicies {
  readonly now: ApprovalPolicy | undefined;
  readonly before: ApprovalPolicy | undefined;
}

/** A line of the configuration: the public key, a blank, and whose it is. */
export function approverOf(line: string): Approver | undefined {
  const [key = '', ...rest] = line.split(' ');
  const name = rest.join(' ').trim();
  return isPublicKey(key) && name !== '' && !hidden.test(name) ? { key, name } : undefined;
}

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

export function policyOfConfig(config: {
  readonly approvals?: number | undefined;
  readonly approvers?: readonly string[] | undefined;
}): ApprovalPolicy | undefined {
  if (config.approvals === undefined) return undefined;
  const approvers = (config.approvers ?? []).flatMap((line) => approverOf(line) ?? []);
  return { needed: config.approvals, approvers };
}

/** In what way fewer or other people than before could let money go. Fewer keys are no such way. */
export function loosenings({ before, now }: ApprovalPolicies): string[] {
  if (before === undefined) return [];
  if (now === undefined) return [`the configuration asked for ${before.needed} and asks for none now`];
  const others = now.approvers.filter(({ key }) => nameOfKey(before, key) === undefined);
  return [
    ...(now.needed < before.needed
      ? [`the configuration asked for ${before.needed} and asks for ${now.needed} now`]
      : []),
    ...others.map(({ key, name }) => `the key ${key} (${name}) was not listed`),
  ];
}

/** By which of the two a plan is judged: once it was in force, a policy is loosened only by its own people. */
export function policyInForce(policies: ApprovalPolicies): ApprovalPolicy | undefined {
  return loosenings(policies).length > 0 ? policies.before : policies.now;
}

export function nameOfKey(policy: ApprovalPolicy, key: string): string | undefined {
  return policy.approvers.find((approver) => approver.key === key)?.name;
}
