import type { LedgerEntry } from '../oracle.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What the service of one seed is like. Nothing of it is a fault: all of it is left open by the specification. */
export interface ServiceHabits {
  /** Whether a used reference is refused. */
  readonly dedupe: boolean;
  /** How long a transaction may take to appear in the list. */
  readonly listLagMs: number;
  readonly showsReference: boolean;
  readonly showsBeneficiary: boolean;
  readonly tokenLifeMs: number;
  /** Whether a failure comes with a 4xx, or as a 200 that says so. */
  readonly failsWithStatus: boolean;
  readonly refusing: number;
  readonly failing: number;
  readonly lingering: number;
  readonly returning: number;
  readonly settleWithinMs: number;
  readonly balanceMinor: number;
}

/** Whom an account belongs to, as far as the service can say. */
export type Holder = { readonly name: string } | 'unsupported' | 'missing';

export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface ModelAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface Transaction {
  readonly transactionId: string;
  readonly reference: string;
  readonly type: string;
  readonly amountMinor: number;
  readonly number: string;
  readonly destination: string;
  readonly visibleMs: number;
  readonly foreign: boolean;
  status: 'PENDING' | 'SUCCESSFUL' | 'FAILED';
  lingers: boolean;
  wasSuccessful: boolean;
  /** It was called failed, and was paid after all. */
  revived: boolean;
}

interface Account {
  readonly externalAccountId: string;
  readonly country: string;
  readonly currency: string;
  readonly destination: string;
  readonly payoutMethod: { branchCode: string; code: string; accountName: string; accountNumber: string };
}

type Body = Record<string, unknown>;

const prefix = '/api/b2b';

/** A second reading of the specification, written apart from the sandbox: its ledger is the last word on what was paid. */
export function createModelService(
  time: VirtualTime,
  chance: () => number,
  habits: ServiceHabits,
  holders: ReadonlyMap<string, Holder>,
) {
  const transactions: Transaction[] = [];
  const accounts: Account[] = [];
  const tokens = new Map<string, number>();
  const used = new Set<string>();
  let balanceMinor = habits.balanceMinor;
  let filterIgnored = false;
  let calm = false;
  let ids = 0;

  const id = (kind: string) => {
    ids += 1;
    return `${kind}${String(ids).padStart(20 - kind.length, '0')}`;
  };
  const failure = (status: number, errorCode: string, message: string): ModelAnswer => ({
    status: habits.failsWithStatus ? status : 200,
    body: { success: false, message, errorCode },
  });
  const done = (body: Body): ModelAnswer => ({ status: 200, body: { success: true, ...body } });

  function exchangeToken(headers: ModelRequest['headers']): ModelAnswer {
    if (headers['api-key'] !== apiKey) return { status: 401, body: {} };
    const token = id('token');
    const expiresMs = time.trueWallMs() + habits.tokenLifeMs;
    tokens.set(token, expiresMs);
    return done({ token, expiresAt: Math.floor(expiresMs / 1000) });
  }

  function mayEnter(headers: ModelRequest['headers']): boolean {
    const expiresMs = tokens.get((headers['authorization'] ?? '').replace('Bearer ', ''));
    return expiresMs !== undefined && expiresMs > time.trueWallMs();
  }

  function createAccount(body: Body): ModelAnswer {
    const payload = body['payload'] as Record<string, string>;
    const accountNumber = payload['accountNumber'] ?? payload['phoneNumber'] ?? '';
    const code = payload['code'] ?? '';
    const taken = accounts.some(
      ({ payoutMethod, currency }) =>
        currency === body['currency'] &&
        payoutMethod.accountNumber === accountNumber &&
        payoutMethod.code === code,
    );
    if (taken) return failure(409, 'E-BEN.S-35', 'Account number already in use.');
    const externalAccountId = id('acc');
    const accountName = payload['accountName'] ?? `${payload['firstName']} ${payload['lastName']}`.trim();
    accounts.push({
      externalAccountId,
      country: String(body['country']),
      currency: String(body['currency']),
      destination: String(payload['destination']),
      payoutMethod: { branchCode: payload['branchCode'] ?? '', code, accountName, accountNumber },
    });
    return done({ message: 'External account created', data: { id: externalAccountId } });
  }

  function resolve(body: Body): ModelAnswer {
    const number = String(body['accountNumber']);
    const holder = holders.get(number) ?? 'missing';
    if (holder === 'missing') return failure(404, 'E-CH-PY.S-37', 'Account does not exist.');
    if (holder === 'unsupported') return failure(400, 'E-CH-PY.S-40', 'Not supported.');
    return done({ data: { accountId: number, accountName: holder.name } });
  }

  function pay(body: Body): ModelAnswer {
    const reference = String(body['externalReference']);
    const account = accounts.find((each) => each.externalAccountId === body['externalAccountId']);
    if (!account || account.currency !== body['currency'] || account.destination !== body['destination'])
      return failure(404, 'E-BEN.S-90', 'Missing external account!');
    if (habits.dedupe && used.has(reference))
      return failure(409, 'E-API-D.S-28', 'External reference already used.');
    const amountMinor = Math.round(Number(body['amount']) * 100);
    if (amountMinor > balanceMinor) return failure(400, 'E-WAL.S-12', 'Insufficient balance.');
    if (chance() < (calm ? 0 : habits.refusing)) return failure(400, 'E-PAY.S-77', 'Payout not possible.');
    used.add(reference);
    balanceMinor -= amountMinor;
    const { accountNumber } = account.payoutMethod;
    const made = add(reference, 'withdrew', amountMinor, accountNumber, account.destination, false);
    scheduleEnd(made);
    return done({
      message: 'Withdrawal request accepted for processing',
      transactionId: made.transactionId,
    });
  }

  function add(
    reference: string,
    type: string,
    amountMinor: number,
    number: string,
    destination: string,
    foreign: boolean,
  ): Transaction {
    const made: Transaction = {
      transactionId: id('tx'),
      reference,
      type,
      amountMinor,
      number,
      destination,
      visibleMs: time.worldMs() + chance() * habits.listLagMs,
      foreign,
      status: foreign ? 'SUCCESSFUL' : 'PENDING',
      lingers: !foreign && chance() < (calm ? 0 : habits.lingering),
      wasSuccessful: foreign,
      revived: false,
    };
    transactions.push(made);
    return made;
  }

  function scheduleEnd(made: Transaction): void {
    const fails = chance() < habits.failing;
    const inMs = chance() * habits.settleWithinMs;
    if (!made.lingers) time.after(inMs, () => end(made, fails));
  }

  function end(made: Transaction, fails: boolean): void {
    if (made.status !== 'PENDING') return;
    made.status = fails ? 'FAILED' : 'SUCCESSFUL';
    made.wasSuccessful = !fails;
    if (fails) balanceMinor += made.amountMinor;
  }

  function list(query: URLSearchParams): ModelAnswer {
    const reference = query.get('externalReference');
    const limit = Number(query.get('limit') ?? 3);
    const shown = transactions
      .filter((each) => each.visibleMs <= time.worldMs())
      .filter((each) => filterIgnored || reference === null || each.reference === reference)
      .slice(-limit)
      .reverse();
    return done({ data: shown.map((each) => view(each, true)) });
  }

  function read(key: string): ModelAnswer {
    const found = transactions.find((each) => each.transactionId === key || each.reference === key);
    return found
      ? done({ data: view(found, false) })
      : failure(404, 'E-TRX.S-04', 'Transaction does not exist.');
  }

  function view(of: Transaction, inList: boolean): Body {
    // The list of the specification shows whole numbers.
    const amount = inList ? Math.floor(of.amountMinor / 100) : of.amountMinor / 100;
    return {
      transactionId: of.transactionId,
      type: of.type,
      status: of.status,
      chargeStatus: of.status.toLowerCase(),
      amount,
      receiverAmount: amount,
      currency: 'KES',
      receiverCurrency: 'KES',
      country: 'KE',
      destination: of.destination,
      ...(habits.showsBeneficiary && { beneficiary: { accountNumber: of.number, currency: 'KES' } }),
      ...(habits.showsReference && !inList && { externalReference: of.reference }),
    };
  }

  return {
    /** What the service does when a request reaches it; `entered`: its token was looked at long ago. */
    handle({ method, path, headers, body }: ModelRequest, { entered = false } = {}): ModelAnswer {
      const url = new URL(path, 'http://model');
      const route = `${method} ${url.pathname.slice(prefix.length)}`;
      const json = body === undefined ? {} : (JSON.parse(body) as Body);
      if (route === 'POST /auth/generate-bearer-token') return exchangeToken(headers);
      if (!entered && !mayEnter(headers))
        return { status: 401, body: { success: false, message: 'Expired token' } };
      if (route === 'GET /users')
        return done({ email: 'payer@example.test', publicKey, KESWallet: { balance: balanceMinor / 100 } });
      if (route === 'GET /utilities/rates/historical') return done({ data: [] });
      if (route === 'GET /utilities/countries') return done({ data: [kenya] });
      if (route === 'GET /external-accounts') return done({ data: accounts });
      if (route === 'POST /external-accounts') return createAccount(json);
      if (route.startsWith('PUT /external-accounts/')) return done({ message: 'Updated' });
      if (route === 'POST /utilities/account/resolve') return resolve(json);
      if (route === 'POST /fiat/payout') return pay(json);
      if (route === 'GET /transactions') return list(url.searchParams);
      if (route.startsWith('GET /transactions/'))
        return read(decodeURIComponent(url.pathname.slice(`${prefix}/transactions/`.length)));
      return { status: 404, body: {} };
    },

    /** Transactions of the same account that have nothing to do with us. */
    addForeign(reference: string, type: string, amountMinor: number, number: string): void {
      add(reference, type, amountMinor, number, 'MoMo', true);
    },

    ignoreFilter: (ignored: boolean): void => {
      filterIgnored = ignored;
    },
    revokeTokens: (): void => tokens.clear(),
    /** The reference is taken, and nothing will ever stand under it. */
    burn: (reference: string): void => void used.add(reference),
    isBurnt: (reference: string): boolean =>
      used.has(reference) && !transactions.some((each) => each.reference === reference),
    topUp: (byMinor: number): void => {
      balanceMinor += byMinor;
    },

    /** Refuses nothing more and brings everything that lingers to an end. */
    calmDown(): void {
      calm = true;
      for (const each of transactions.filter(({ lingers }) => lingers)) {
        each.lingers = false;
        end(each, chance() < 0.3);
      }
    },

    /** Money that comes back days later. */
    returnSome(): string[] {
      const back: string[] = [];
      for (const each of transactions) {
        if (each.foreign || each.status !== 'SUCCESSFUL' || chance() >= habits.returning) continue;
        each.status = 'FAILED';
        balanceMinor += each.amountMinor;
        back.push(each.reference);
      }
      return back;
    },

    /** What was called failed is paid after all, days later or at once. */
    reviveSome(mayPay: (entry: { readonly reference: string }) => boolean): string[] {
      const back: string[] = [];
      for (const each of transactions) {
        if (each.foreign || each.status !== 'FAILED' || each.wasSuccessful || !mayPay(each)) continue;
        Object.assign(each, { status: 'SUCCESSFUL', wasSuccessful: true, revived: true });
        balanceMinor -= each.amountMinor;
        back.push(each.reference);
      }
      return back;
    },

    /** What was paid for us, as the oracle reads it. */
    ledger: (): ModelEntry[] =>
      transactions
        .filter(({ foreign }) => !foreign)
        .map((each) => ({
          transactionId: each.transactionId,
          reference: each.reference,
          status: each.status,
          currency: 'KES',
          amount: (each.amountMinor / 100).toFixed(2),
          number: each.number,
          returned: each.wasSuccessful && each.status === 'FAILED',
          revived: each.revived && each.status === 'SUCCESSFUL',
          visible: each.visibleMs <= time.worldMs(),
        })),
  };
}

export interface ModelEntry extends LedgerEntry {
  readonly returned: boolean;
  /** Called failed before, and successful now. */
  readonly revived: boolean;
  /** Whether the list shows it by now. */
  readonly visible: boolean;
}

export type ModelService = ReturnType<typeof createModelService>;

const kenya = { name: 'Kenya', iso2: 'KE', iso3: 'KEN', currency: { code: 'KES', decimal: '2' } };

export const apiKey = 'model-api-key';
export const publicKey = 'model-public-key';
