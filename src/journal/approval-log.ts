import type { ApprovalPolicy } from '../domain/approval/approval-policy.ts';
import { canonicalJson } from '../domain/text/canonical-json.ts';
import { eventChain } from './event-chain.ts';
import type { Writer } from './journal.ts';
import type { JournalDatabase } from './journal-database.ts';
import { putValue, readValue } from './key-values.ts';

/** Events about the whole batch by which an auditor finds who agreed to what. */
export const approvalEvents = {
  planned: 'plan-signed',
  approved: 'approved',
  policy: 'approval-policy',
} as const;

/** The policy that was last in force here; undefined where there was none, or it was given up. */
export function readApprovalPolicy(db: JournalDatabase): ApprovalPolicy | undefined {
  return (JSON.parse(readValue(db, factKey) ?? 'null') as ApprovalPolicy | null) ?? undefined;
}

/** Inside a write of the journal: from now on this is the policy, and the log says so. */
export function keepApprovalPolicy(
  db: JournalDatabase,
  policy: ApprovalPolicy | undefined,
  event: { readonly atMs: number; readonly batch: number; readonly writer: Writer },
): void {
  const text = canonicalJson(policy ?? null);
  const from = readValue(db, factKey) ?? 'null';
  if (text === from) return;
  putValue(db, factKey, text);
  const { writer, ...place } = event;
  eventChain(db).append({ ...place, ...writer, from, to: approvalEvents.policy, why: text });
}

/** Whether the policy is the one that the log tells of last. */
export function isPolicyLogged(db: JournalDatabase): boolean {
  const logged = db
    .prepare<[string], string>('SELECT why FROM events WHERE to_state = ? ORDER BY seq DESC LIMIT 1')
    .pluck()
    .get(approvalEvents.policy);
  return (logged ?? 'null') === (readValue(db, factKey) ?? 'null');
}

/** Inside a write of the journal: who has planned, and who has approved. */
export function logApproval(
  db: JournalDatabase,
  kind: 'planned' | 'approved',
  { writer, why, ...place }: { atMs: number; batch: number; writer: Writer; why: string },
): void {
  eventChain(db).append({ ...place, ...writer, from: 'plan', to: approvalEvents[kind], why });
}

const factKey = 'approval-policy';
