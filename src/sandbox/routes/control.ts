import * as z from 'zod';
import type { Clock } from '../../clock.ts';
import { decimalFromMinor, minorFromDecimal } from '../../domain/money/money.ts';
import { findCurrency, hasSeveralWallets } from '../../domain/reference-data/countries.ts';
import { PayrunError } from '../../errors.ts';
import { parseJson } from '../../incoming-http.ts';
import { type EndpointName, endpoints } from '../../service/contract/endpoints.ts';
import type { GroupCommit } from '../../storage/group-commit.ts';
import { drawnFaults, faultWords, parseFaultPlan } from '../faults/fault-plan.ts';
import { canonicalNumber } from '../faults/rail-rules.ts';
import { failure, failureBody, type Reply, toReply } from '../http/reply.ts';
import { type World, walletName } from '../http/route.ts';
import { decimalsOf } from '../store/rates.ts';

/** Answers one request below `/_sandbox/`: what a test or a demonstration may do that no client of a service can. */
export type Control = (method: string, path: string, text: string) => Promise<Reply>;

const endpointName = z.enum(Object.keys(endpoints) as [EndpointName, ...EndpointName[]]);
const webhookUrl = z.union([z.literal(''), z.url({ protocol: /^https?$/ })]);

const bodies = {
  faults: z.strictObject({ plan: z.string().max(2000), seed: z.string().max(200).default('1') }),
  answer: z.strictObject({
    endpoint: endpointName,
    times: z.number().int().min(1).max(1_000_000).default(1),
    fault: z.enum(drawnFaults).optional(),
    errorCode: z.string().max(100).optional(),
    status: z.number().int().min(400).max(599).optional(),
    retryAfter: z
      .string()
      .regex(/^[\x20-\x7e]{1,100}$/)
      .optional(),
  }),
  profile: z.strictObject({
    firstName: z.string().max(100).exactOptional(),
    lastName: z.string().max(100).exactOptional(),
    email: z.email().exactOptional(),
    webhookUrl: webhookUrl.exactOptional(),
    sandboxWebhookUrl: webhookUrl.exactOptional(),
  }),
  people: z.array(
    z.strictObject({
      number: z.string().min(1).max(40),
      bankCode: z.string().max(20).optional(),
      name: z.string().max(200),
    }),
  ),
  fund: z.strictObject({ currency: z.string(), country: z.string().optional(), amount: z.string().max(20) }),
  pay: z.strictObject({ accountNumber: z.string(), amount: z.string().max(20) }),
};

export function createControl(
  world: World,
  queue: GroupCommit,
  clock: Clock,
  advance: () => Promise<void>,
): Control {
  const actions: Record<string, (text: string) => Promise<Reply> | Reply> = {
    'GET faults': () => done({ words: faultWords, plan: world.faults.plan() }),
    'PUT faults': withBody(bodies.faults, ({ plan, seed }) => {
      world.faults.change(parseFaultPlan(plan, seed));
      return done({});
    }),
    'POST answers': withBody(bodies.answer, (ordered) => {
      world.faults.order({ ...ordered });
      return done({});
    }),
    'PUT profile': withBody(bodies.profile, async (profile) => {
      await queue.write(() => world.settings.changeProfile(profile));
      return done({});
    }),
    'POST people': withBody(bodies.people, async (people) => {
      await queue.write(() => {
        for (const { number: given, bankCode, name } of people) {
          const number = bankCode === undefined ? canonicalNumber('MoMo', given) : given;
          world.directory.enrol({ number, bankCode }, name);
        }
      });
      return done({ enrolled: people.length });
    }),
    'POST funds': withBody(bodies.fund, (body) => queue.write(() => fund(world, body, clock.nowMs()))),
    'POST virtual-account-payments': withBody(bodies.pay, async (body) => {
      await advance();
      return queue.write(() => payIn(world, body, clock.nowMs()));
    }),
    'GET books': async () => {
      await advance();
      const { accounts, transfers, findings } = world.ledger.books();
      const shown = accounts.map(({ name, currency, balanceMinor }) => ({
        name,
        balance: decimalFromMinor(balanceMinor, decimalsOf(currency)),
      }));
      return done({ balanced: findings.length === 0, findings, transfers, accounts: shown });
    },
    'GET transactions': async () => {
      await advance();
      return done({ data: world.transactions.all().map(plain) });
    },
  };

  return async (method, path, text) => {
    const action = Object.hasOwn(actions, `${method} ${path}`) ? actions[`${method} ${path}`] : undefined;
    if (!action)
      return toReply(undefined, failure('E-GEN.S-04', `Known here: ${Object.keys(actions).join(', ')}.`));
    try {
      return await action(text);
    } catch (error) {
      if (error instanceof PayrunError) return refused(error.message);
      throw error;
    }
  };
}

function withBody<Body>(schema: z.ZodType<Body>, act: (body: Body) => Promise<Reply> | Reply) {
  return (text: string): Promise<Reply> | Reply => {
    const json = parseJson(text);
    if (json === undefined) return refused('the body is not JSON');
    const parsed = schema.safeParse(json);
    return parsed.success ? act(parsed.data) : refused(z.prettifyError(parsed.error));
  };
}

/** Money from outside into a wallet, or out of it with a minus. Never below nothing. */
function fund(world: World, body: z.output<typeof bodies.fund>, atMs: number): Reply {
  const currency = findCurrency(body.currency);
  if (!currency) return refused(`there is no ${body.currency} wallet`);
  const { country = '' } = body;
  if (hasSeveralWallets(body.currency) && !currency.walletCountries.includes(country)) {
    return refused(`country is one of ${currency.walletCountries.join(', ')} for ${body.currency}`);
  }
  const amountMinor = minorFromDecimal(body.amount, currency.decimals);
  if (amountMinor === undefined) return refused(`"${body.amount}" is no amount of ${body.currency}`);
  const wallet = walletName(body.currency, country);
  if (amountMinor > 0n && !world.ledger.hasRoomFor(body.currency, amountMinor))
    return refused('the amount is too large');
  if (world.ledger.balance(wallet) + amountMinor < 0n) return refused('the wallet does not hold that much');
  const outside = `outside:${body.currency}`;
  const [from, to] = amountMinor < 0n ? [wallet, outside] : [outside, wallet];
  const size = amountMinor < 0n ? -amountMinor : amountMinor;
  world.ledger.transfer({ atMs, kind: 'funding', from, to, amountMinor: size });
  return done({ balance: decimalFromMinor(world.ledger.balance(wallet), currency.decimals) });
}

/** The customer's transfer to a virtual account: exact, and before it expires. */
function payIn(world: World, body: z.output<typeof bodies.pay>, atMs: number): Reply {
  const charge = world.transactions.findByVirtualAccount(body.accountNumber);
  if (charge?.status !== 'PENDING') return refused('no virtual account of that number is open');
  if (minorFromDecimal(body.amount, decimalsOf(charge.currency)) !== charge.amountMinor) {
    return refused('the amount is not the one asked for');
  }
  world.transactions.succeed(charge.id, atMs);
  return done({ transactionId: charge.id });
}

function plain(record: ReturnType<World['transactions']['all']>[number]): Record<string, unknown> {
  const money = (minor: bigint, currency: string) => decimalFromMinor(minor, decimalsOf(currency));
  return {
    transactionId: record.id,
    externalReference: record.externalReference,
    type: record.type,
    status: record.status,
    currency: record.currency,
    amount: money(record.amountMinor, record.currency),
    debitCurrency: record.senderCurrency,
    debitAmount: money(record.senderMinor, record.senderCurrency),
    wallet: record.wallet,
    country: record.country,
    destination: record.destination,
    bankCode: record.bankCode,
    accountNumber: record.accountNumber,
    accountName: record.accountName,
    createdAt: new Date(record.createdMs).toISOString(),
    changedAt: new Date(record.changedMs).toISOString(),
  };
}

function done(body: Record<string, unknown>): Reply {
  return { status: 200, body: { success: true, ...body } };
}

function refused(message: string): Reply {
  return { status: 400, body: failureBody(undefined, 400, message, 'VALIDATION_ERROR') };
}
