import * as z from 'zod';
import type { ApprovalPolicies, ApprovalPolicy } from '../domain/approval/approval-policy.ts';
import { environmentText } from '../domain/environment/environment.ts';
import { decimalOf } from '../domain/money/format-money.ts';
import { type Policy, policyDocument } from '../domain/policy.ts';
import type { Total } from '../journal/draft/draft-queries.ts';
import type { WalletFunds } from '../pipeline/guards/funds.ts';
import type { NameView } from '../pipeline/plan/name-verdicts.ts';
import type { PlannedFile } from '../pipeline/plan/planned-file.ts';
import { diffDocument } from './diff-document.ts';
import { problemDocument } from './problem-document.ts';
import { approvalPolicySchema, plannerSchema } from './schemas/approval-schema.ts';
import { moneyText } from './schemas/money-text.ts';
import {
  type PlanFlagValues,
  planOptionsSchema,
  policySchema,
  repeatsSchema,
} from './schemas/plan-settings-schema.ts';
import { problemSchema } from './schemas/problem-schema.ts';

const count = z.number().int().min(0);
const amount = z.strictObject({ currency: z.string(), amount: moneyText });
const share = z.strictObject({ name: z.string(), currency: z.string(), rows: count, amount: moneyText });
const diffGroup = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({
    count,
    first: z.array(
      z.strictObject({
        line: count.nullable(),
        name: z.string(),
        before: value.nullable(),
        after: value.nullable(),
      }),
    ),
  });
const account = z.string().meta({ description: 'Bank code and the last digits of the number' });
const problemsListed = 1000;

/** The plan as `plan --json` and `--out` give it. */
export const planSchema = z
  .strictObject({
    kind: z.literal('plan'),
    batch: z.string(),
    mode: z
      .enum(['SANDBOX', 'TEST', 'LIVE'])
      .nullable()
      .meta({ description: 'null: no service is configured, or it could not be asked' }),
    environment: z.string().nullable().meta({ description: 'Base URL, prefix and account of the service' }),
    file: z.string(),
    fileDigest: z.string().nullable().meta({ description: 'SHA-256 of its bytes' }),
    options: planOptionsSchema.meta({ description: 'The flags that shape the plan' }),
    policy: policySchema.meta({ description: 'Which valid rows are paid' }),
    repeats: repeatsSchema.meta({ description: 'What the guards against paying again were told' }),
    drafts: count.meta({ description: 'How many files the batch had taken in before' }),
    exit: count.meta({
      description: 'The exit code of a run before it sends anything; 0 if it would send',
    }),
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: 'Of the intention, not of progress: the same until file or policy change' }),
    remembers: z.boolean().meta({ description: 'A journal was asked for earlier payments' }),
    keyKind: z.enum(['paymentId', 'payee']),
    part: z.boolean().meta({ description: 'A retry file, which holds a part of its batch' }),
    rows: count,
    valid: count,
    problems: z.strictObject({
      blocking: count,
      warnings: count,
      first: z
        .array(problemSchema)
        .meta({ description: `The blocking ones first, at most ${problemsListed}` }),
    }),
    fates: z
      .record(z.string(), count)
      .meta({ description: 'How many rows are new, carry on, are replaced …' }),
    totals: z.record(
      z.string(),
      z.strictObject({ rows: count, file: moneyText, paidBefore: moneyText, toSend: moneyText }),
    ),
    destinations: z.array(share),
    countries: z.array(share),
    wallets: z.array(share).meta({ description: 'What each wallet is asked for now' }),
    besides: z.array(share).meta({
      description: 'Payouts of the batch that a run would send though they are not in this file, by wallet',
    }),
    gone: z.strictObject({
      unsent: count,
      sent: count,
      first: z.array(z.strictObject({ key: z.string(), name: z.string(), state: z.string() })),
    }),
    diff: z
      .strictObject({
        previousBatch: z.string(),
        notice: z.number().min(0).meta({
          description: 'Amounts that changed by no more than this many per cent are left out',
        }),
        joined: diffGroup(amount),
        left: diffGroup(amount),
        accountChanged: diffGroup(account),
        amountChanged: diffGroup(amount),
        oneAccount: diffGroup(z.string()),
      })
      .nullable()
      .meta({ description: 'Against the previous batch of the same people' }),
    funds: z
      .array(
        z.strictObject({
          wallet: z.string(),
          balance: moneyText.nullable(),
          needed: moneyText.nullable(),
          reserve: moneyText,
          estimated: z.boolean(),
        }),
      )
      .nullable(),
    payees: z.strictObject({ known: count, new: count }).nullable(),
    names: z
      .strictObject({
        match: count,
        close: count,
        mismatch: count,
        unchecked: count,
        noAccount: count,
        unanswered: count,
        held: z
          .array(z.strictObject({ currency: z.string(), rows: count, amount: moneyText }))
          .meta({ description: 'What a run would hold for its name' }),
        first: z.array(
          z.strictObject({
            line: count,
            name: z.string(),
            resolved: z.string(),
            verdict: z.string(),
            reason: z.string(),
          }),
        ),
      })
      .nullable(),
    guards: z.array(z.strictObject({ code: z.string(), message: z.string() })),
    approvals: approvalPolicySchema.nullable().meta({ description: 'What the configuration asks for' }),
    approvalsBefore: approvalPolicySchema
      .nullable()
      .meta({ description: 'What it asked for when the journal last saw it' }),
    planner: plannerSchema.nullable().meta({ description: 'Who signed the plan (plan --key)' }),
  })
  .meta({ id: 'Plan', title: 'What paying a file would do' });

export type PlanDocument = z.output<typeof planSchema>;

/** What the plan does not know of itself: how it was asked for. */
export interface PlanSetting {
  readonly file: string;
  readonly kind: PlanDocument['mode'];
  readonly remembers: boolean;
  /** The flags that shape it; undefined: none. */
  readonly options?: PlanFlagValues | undefined;
  readonly policies?: ApprovalPolicies | undefined;
}

export function planDocument(
  planned: PlannedFile,
  { file, kind, remembers, options = {}, policies }: PlanSetting,
): PlanDocument {
  const { plan, drafted, view, environment, exit, policy, repeats, accepted } = planned;
  return {
    kind: 'plan',
    batch: plan.batch,
    mode: kind,
    environment: environment ? environmentText(environment) : null,
    file,
    fileDigest: drafted.reading.facts.digest ?? null,
    options,
    policy: shownPolicy(policy),
    repeats,
    drafts: accepted.count,
    exit,
    digest: plan.digest,
    remembers,
    keyKind: plan.keyKind,
    part: drafted.isPart,
    rows: plan.rows,
    valid: plan.valid,
    problems: {
      blocking: plan.blocking,
      warnings: plan.warnings,
      first: drafted.questions.firstProblems(problemsListed).map(problemDocument),
    },
    fates: plan.fates,
    totals: Object.fromEntries(
      plan.totals.map(({ currency, rows, fileMinor, paidBeforeMinor, toSendMinor }) => [
        currency,
        {
          rows,
          file: decimalOf(fileMinor, currency),
          paidBefore: decimalOf(paidBeforeMinor, currency),
          toSend: decimalOf(toSendMinor, currency),
        },
      ]),
    ),
    destinations: plan.byDestination.map(shareDocument),
    countries: plan.byCountry.map(shareDocument),
    wallets: plan.byWallet.map(shareDocument),
    besides: plan.besides.map(shareDocument),
    gone: {
      unsent: plan.gone.unsent,
      sent: plan.gone.sent,
      first: plan.gone.first.map(({ key, accountName, state }) => ({ key, name: accountName, state })),
    },
    diff: plan.diff ? diffDocument(plan.diff) : null,
    funds: view?.funds.map(fundsDocument) ?? null,
    payees: view?.payees ?? null,
    names: view?.names ? namesDocument(view.names) : null,
    guards: plan.guards.map(({ code, message }) => ({ code, message })),
    approvals: shownApprovals(policies?.now),
    approvalsBefore: shownApprovals(policies?.before),
    planner: null,
  };
}

function shareDocument({ name, currency, rows, amountMinor }: Total): z.output<typeof share> {
  return { name, currency, rows, amount: decimalOf(amountMinor, currency) };
}

function fundsDocument(funds: WalletFunds): NonNullable<PlanDocument['funds']>[number] {
  const { wallet, currency, balanceMinor, neededMinor, reserveMinor, estimated } = funds;
  const show = (minor: bigint | undefined) => (minor === undefined ? null : decimalOf(minor, currency));
  return {
    wallet,
    balance: show(balanceMinor),
    needed: show(neededMinor),
    reserve: decimalOf(reserveMinor, currency),
    estimated,
  };
}

function shownApprovals(policy: ApprovalPolicy | undefined): PlanDocument['approvals'] {
  return policy ? { needed: policy.needed, approvers: [...policy.approvers] } : null;
}

function shownPolicy(policy: Policy): PlanDocument['policy'] {
  return policySchema.parse(policyDocument(policy));
}

function namesDocument({ counts, first, held, unanswered }: NameView): NonNullable<PlanDocument['names']> {
  const { 'no-account': noAccount, ...others } = counts;
  return {
    ...others,
    noAccount,
    unanswered,
    held: held.map(({ currency, rows, amountMinor }) => ({
      currency,
      rows,
      amount: decimalOf(amountMinor, currency),
    })),
    first: first.map(({ line, accountName, resolvedName, verdict, reason }) => ({
      line,
      name: accountName,
      resolved: resolvedName,
      verdict,
      reason,
    })),
  };
}
