import { z } from 'zod';
import { decimalOf } from '../domain/show-money.ts';
import type { Total } from '../journal/draft-questions.ts';
import type { DiffGroup, PayRunDiff } from '../journal/pay-run-diff.ts';
import type { Plan } from '../pipeline/3-plan-batch.ts';
import type { ServiceView } from '../pipeline/inspect-service.ts';

const money = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .meta({ description: 'Plain decimal text' });
const share = z.strictObject({
  name: z.string(),
  currency: z.string(),
  rows: z.number().int(),
  amount: money,
});
const diffGroup = z.strictObject({
  count: z.number().int(),
  first: z.array(
    z.strictObject({
      line: z.number().int().nullable(),
      name: z.string(),
      before: z.string(),
      after: z.string(),
    }),
  ),
});

/** The plan as `plan --json` and `--out` give it. */
export const planSchema = z
  .strictObject({
    batch: z.string(),
    environment: z.string().nullable(),
    file: z.string(),
    exit: z.number().int(),
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: 'Of the intention, not of progress' }),
    remembers: z.boolean().meta({ description: 'Whether a journal was asked for earlier payments' }),
    keyKind: z.enum(['paymentId', 'payee']),
    rows: z.number().int(),
    valid: z.number().int(),
    problems: z.strictObject({ blocking: z.number().int(), warnings: z.number().int() }),
    fates: z.record(z.string(), z.number().int()),
    totals: z.record(
      z.string(),
      z.strictObject({ rows: z.number().int(), file: money, paidBefore: money, toSend: money }),
    ),
    destinations: z.array(share),
    countries: z.array(share),
    wallets: z.array(share),
    gone: z.strictObject({ unsent: z.number().int(), sent: z.number().int() }),
    diff: z
      .strictObject({
        previousBatch: z.string(),
        joined: diffGroup,
        left: diffGroup,
        accountChanged: diffGroup,
        amountChanged: diffGroup,
        oneAccount: diffGroup,
      })
      .nullable(),
    funds: z
      .array(
        z.strictObject({
          wallet: z.string(),
          balance: money.nullable(),
          needed: money,
          reserve: money,
          estimated: z.boolean(),
        }),
      )
      .nullable(),
    payees: z.strictObject({ known: z.number().int(), new: z.number().int() }).nullable(),
    names: z.record(z.string(), z.number().int()).nullable(),
    guards: z.array(z.strictObject({ code: z.string(), message: z.string() })),
  })
  .meta({ id: 'Plan', title: 'A plan: what paying a file would do' });

export type PlanDocument = z.output<typeof planSchema>;

export function planDocument(
  plan: Plan,
  view: ServiceView | undefined,
  { file, exit, remembers }: { readonly file: string; readonly exit: number; readonly remembers: boolean },
): PlanDocument {
  return {
    batch: plan.batch,
    environment: view?.environment ?? null,
    file,
    exit,
    digest: plan.digest,
    remembers,
    keyKind: plan.keyKind,
    rows: plan.rows,
    valid: plan.valid,
    problems: { blocking: plan.blocking, warnings: plan.warnings },
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
    destinations: plan.byDestination.map(shared),
    countries: plan.byCountry.map(shared),
    wallets: plan.byWallet.map(shared),
    gone: { unsent: plan.gone.unsent, sent: plan.gone.sent },
    diff: plan.diff ? diffDocument(plan.diff) : null,
    funds: view
      ? view.funds.map(({ wallet, currency, balanceMinor, neededMinor, reserveMinor, estimated }) => ({
          wallet,
          balance: balanceMinor === undefined ? null : decimalOf(balanceMinor, currency),
          needed: decimalOf(neededMinor, currency),
          reserve: decimalOf(reserveMinor, currency),
          estimated,
        }))
      : null,
    payees: view?.payees ?? null,
    names: view?.names ?? null,
    guards: plan.guards.map(({ code, message }) => ({ code, message })),
  };
}

function shared({ name, currency, rows, amountMinor }: Total): z.output<typeof share> {
  return { name, currency, rows, amount: decimalOf(amountMinor, currency) };
}

function diffDocument(diff: PayRunDiff): NonNullable<PlanDocument['diff']> {
  const amount = (text: string) => {
    const [currency = '', minor = ''] = text.split(' ');
    return minor === '' ? '' : `${currency} ${decimalOf(BigInt(minor), currency)}`;
  };
  const group = ({ count, first }: DiffGroup, show: (text: string) => string = (text) => text) => ({
    count,
    first: first.map(({ line, name, before, after }) => ({
      line,
      name,
      before: show(before),
      after: show(after),
    })),
  });
  return {
    previousBatch: diff.previousBatch,
    joined: group(diff.joined, amount),
    left: group(diff.left, amount),
    accountChanged: group(diff.accountChanged),
    amountChanged: group(diff.amountChanged, amount),
    oneAccount: group(diff.oneAccount),
  };
}
