import { createHash } from 'node:crypto';
import { isSignedBy, type Signer } from '../domain/approval/signing-key.ts';
import { decimalOf } from '../domain/money/format-money.ts';
import { canonicalJson } from '../domain/text/canonical-json.ts';
import type { PlanFile } from './plan-file.ts';
import { plannedSums } from './planned-sums.ts';
import { type ApprovalDocument, approvalSchema } from './schemas/approval-schema.ts';

/** One person's consent to one plan: to its bytes, and in words to what matters about it. */
export function approvalDocument(
  planFile: PlanFile,
  signer: Signer,
  { name, at }: { readonly name: string; readonly at: string },
): ApprovalDocument {
  const approval = { ...boundTo(planFile), approver: { key: signer.key, name }, at, signature: '' };
  return { ...approval, signature: signer.sign('approval', signedText(approval)) };
}

/** As it is written. No other spelling of it is taken. */
export function approvalText(approval: ApprovalDocument): string {
  return `${JSON.stringify(approval, null, 2)}\n`;
}

/** The approval that a text is; undefined where a byte of it is not as it was signed. */
export function approvalOf(text: string): ApprovalDocument | undefined {
  const parsed = approvalSchema.safeParse(jsonOf(text));
  if (!parsed.success || approvalText(parsed.data) !== text) return undefined;
  const { approver, signature } = parsed.data;
  return isSignedBy(approver.key, 'approval', signedText(parsed.data), signature) ? parsed.data : undefined;
}

/** Whether it is this plan that was approved, and all that is said of it is so. */
export function isApprovalOf(approval: ApprovalDocument, planFile: PlanFile): boolean {
  const { approver, at, signature, ...bound } = approval;
  return canonicalJson(bound) === canonicalJson(boundTo(planFile));
}

function boundTo({ id, document }: PlanFile) {
  const { batch, environment, fileDigest, digest, approvals } = document;
  const sums = [...plannedSums(document)].map(([currency, minor]) => [currency, decimalOf(minor, currency)]);
  return {
    kind: 'approval' as const,
    plan: id,
    batch,
    environment,
    fileDigest,
    digest,
    totals: Object.fromEntries(sums) as Record<string, string>,
    policy: createHash('sha256').update(canonicalJson(approvals)).digest('hex'),
  };
}

function signedText(approval: ApprovalDocument): string {
  return canonicalJson({ ...approval, signature: '' });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
