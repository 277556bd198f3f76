import { echoForms } from '../../support/echo-names.ts';
import type { LedgerEntry } from '../oracle.ts';
import type { AccountName, Identity } from './accounts.ts';
import {
  type Contradiction,
  type ExternalAccount,
  type ModelAccount,
  openAccount,
  type Transaction,
  type TransactionStatus,
} from './model-account.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What the service of one seed is like. Nothing of it is a fault: all of it is left open by the specification. */
export interface ServiceHabits {
  /** Whether a used reference is refused. */
  readonly dedupe: boolean;
  /** How long a transaction may take to appear in the list. */
  readonly listLagMs: number;
  /** Whether every transaction takes all of that time, or each its own part of it. */
  readonly lagIsSteady: boolean;
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
  /** How many transactions show two words for their status that do not mean the same. */
  readonly contradicting: number;
  /** Whether a stored account is called what its owner was stored as, whoever it belongs to. */
  readonly echoes: boolean;
  /** Whether only whole amounts are paid. */
  readonly cuts: boolean;
  /** Whether refusals come in ever other words, and a used reference without its code. */
  readonly rewords: boolean;
  /** Whether a transaction shows the code of the bank or operator that it went to. */
  readonly showsCode: boolean;
  /** How many readings of the list of accounts leave one out that is there. */
  readonly listsLack: number;
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

type Body = Record<string, unknown>;

const prefix = '/api/b2b';

/** A second reading of the specification, written apart from the sandbox: its ledger is the last word on what was paid. */
export function createModelService(
  time: VirtualTime,
  chance: () => number,
  habits: ServiceHabits,
  holders: ReadonlyMap<string, Holder>,
  /** For what few services do, so that it changes nothing of what the others do. */
  oddChance: () => number,
) {
  const accounts = {
    A: openAccount('A', 'payer@example.test', habits.balanceMinor),
    B: openAccount('B', 'payer@example.test', habits.balanceMinor),
  };
  const both = [accounts.A, accounts.B];
  const tokens = new Map<string, { readonly of: ModelAccount; readonly expiresMs: number }>();
  const oddities = { contradictions: 0, echoes: 0, siblings: 0, cuts: 0, rewordings: 0, lackingLists: 0 };
  let filterIgnored = false;
  let calm = false;
  let ids = 0;

  const oddPick = <Value>(from: readonly Value[]): Value =>
    from[Math.floor(oddChance() * from.length)] as Value;
  const id = (kind: string) => {
    ids += 1;
    return `${kind}${String(ids).padStart(20 - kind.length, '0')}`;
  };
  const failure = (status: number, errorCode: string | undefined, message: string): ModelAnswer => ({
    status: habits.failsWithStatus ? status : 200,
    body: { success: false, message, ...(errorCode !== undefined && { errorCode }) },
  });
  const done = (body: Body): ModelAnswer => ({ status: 200, body: { success: true, ...body } });

  function exchangeToken(headers: ModelRequest['headers'], body: Body): ModelAnswer {
    const of = both.find(({ apiKey }) => apiKey === headers['api-key']);
    if (!of || of.publicKey !== body['publicKey']) return { status: 401, body: {} };
    const token = id('token');
    const expiresMs = time.trueWallMs() + habits.tokenLifeMs;
    tokens.set(token, { of, expiresMs });
    return done({ token, expiresAt: Math.floor(expiresMs / 1000) });
  }

  /** Whose token it is; whether it still opens the door is asked only of who has not entered. */
  function enter(headers: ModelRequest['headers'], entered: boolean): ModelAccount | undefined {
    const token = tokens.get((headers['authorization'] ?? '').replace('Bearer ', ''));
    return token && (entered || token.expiresMs > time.trueWallMs()) ? token.of : undefined;
  }

  function createAccount(of: ModelAccount, body: Body): ModelAnswer {
    const payload = body['payload'] as Record<string, string>;
    const accountNumber = payload['accountNumber'] ?? payload['phoneNumber'] ?? '';
    const accountName = payload['accountName'] ?? `${payload['firstName']} ${payload['lastName']}`.trim();
    const made: ExternalAccount = {
      externalAccountId: id('acc'),
      country: String(body['country']),
      currency: String(body['currency']),
      destination: String(payload['destination']),
      payoutMethod: {
        branchCode: payload['branchCode'] ?? '',
        code: payload['code'] ?? '',
        accountName,
        accountNumber,
      },
    };
    if (isTaken(of, made)) return failure(409, 'E-BEN.S-35', 'Account number already in use.');
    of.stored.push(made);
    return done({ message: 'External account created', data: { id: made.externalAccountId } });
  }

  function updateAccount(of: ModelAccount, externalAccountId: string, body: Body): ModelAnswer {
    const account = of.stored.find((each) => each.externalAccountId === externalAccountId);
    if (!account) return failure(404, 'E-BEN.S-90', 'Missing external account!');
    const payoutMethod = {
      ...account.payoutMethod,
      ...(body['payoutMethod'] as Partial<ExternalAccount['payoutMethod']>),
    };
    if (isTaken(of, { ...account, payoutMethod }))
      return failure(409, 'E-BEN.S-35', 'Account number already in use.');
    account.payoutMethod = payoutMethod;
    return done({ message: 'Updated' });
  }

  function listAccounts({ stored }: ModelAccount): ModelAnswer {
    if (calm || stored.length === 0 || habits.listsLack === 0 || oddChance() >= habits.listsLack)
      return done({ data: stored });
    oddities.lackingLists += 1;
    const lacking = oddPick(stored);
    return done({ data: stored.filter((each) => each !== lacking) });
  }

  function readAccount({ stored }: ModelAccount, id: string): ModelAnswer {
    const data = stored.find(({ externalAccountId }) => externalAccountId === id);
    return data ? done({ data }) : failure(404, 'E-BEN.S-90', 'Missing external account!');
  }

  function isTaken({ stored }: ModelAccount, account: ExternalAccount): boolean {
    const { accountNumber, code } = account.payoutMethod;
    return stored.some(
      ({ externalAccountId, payoutMethod, currency }) =>
        externalAccountId !== account.externalAccountId &&
        currency === account.currency &&
        payoutMethod.accountNumber === accountNumber &&
        payoutMethod.code === code,
    );
  }

  function resolve({ stored }: ModelAccount, body: Body): ModelAnswer {
    const number = String(body['accountNumber']);
    const known = stored.find(({ payoutMethod }) => payoutMethod.accountNumber === number);
    if (habits.echoes && known) {
      oddities.echoes += 1;
      return done({
        data: { accountId: number, accountName: echoOf(number, known.payoutMethod.accountName) },
      });
    }
    const holder = holders.get(number) ?? 'missing';
    if (holder === 'missing') return failure(404, 'E-CH-PY.S-37', 'Account does not exist.');
    if (holder === 'unsupported') return failure(400, 'E-CH-PY.S-40', 'Not supported.');
    return done({ data: { accountId: number, accountName: holder.name } });
  }

  function pay(of: ModelAccount, body: Body, twice: boolean): ModelAnswer {
    const reference = String(body['externalReference']);
    const account = of.stored.find((each) => each.externalAccountId === body['externalAccountId']);
    if (!account || account.currency !== body['currency'] || account.destination !== body['destination'])
      return failure(404, 'E-BEN.S-90', 'Missing external account!');
    if (habits.dedupe && of.used.has(reference)) return referenceUsed();
    const amountMinor = Math.round(Number(body['amount']) * 100);
    if (amountMinor > of.balanceMinor) return failure(400, 'E-WAL.S-12', 'Insufficient balance.');
    if (chance() < (calm ? 0 : habits.refusing)) return refuse();
    of.used.add(reference);
    const made = add(of, reference, 'withdrew', amountMinor, account, twice ? 'first' : 'alone');
    scheduleEnd(of, made, twice);
    if (twice) addSibling(of, made, account);
    return done({
      message: 'Withdrawal request accepted for processing',
      transactionId: made.transactionId,
    });
  }

  function referenceUsed(): ModelAnswer {
    if (habits.rewords) oddities.rewordings += 1;
    return failure(
      409,
      habits.rewords ? undefined : 'E-API-D.S-28',
      habits.rewords ? 'External reference already used' : 'External reference already used.',
    );
  }

  function refuse(): ModelAnswer {
    if (!habits.rewords) return failure(400, 'E-PAY.S-77', 'Payout not possible.');
    oddities.rewordings += 1;
    const trace = Math.floor(oddChance() * 0xffff).toString(16);
    return failure(400, 'E-PAY.S-77', oddPick(refusals).replace('{trace}', trace));
  }

  function add(
    of: ModelAccount,
    reference: string,
    type: string,
    amountMinor: number,
    to: Pick<ExternalAccount, 'destination' | 'payoutMethod'>,
    kind: 'alone' | 'first' | 'foreign',
  ): Transaction {
    const foreign = kind === 'foreign';
    const transactionId = id('tx');
    const lag = chance();
    const paidMinor = habits.cuts && !foreign ? amountMinor - (amountMinor % 100) : amountMinor;
    if (paidMinor !== amountMinor) oddities.cuts += 1;
    const made: Transaction = {
      transactionId,
      reference,
      type,
      amountMinor,
      paidMinor,
      number: to.payoutMethod.accountNumber,
      code: to.payoutMethod.code,
      destination: to.destination,
      visibleMs: time.worldMs() + (habits.lagIsSteady ? 1 : lag) * habits.listLagMs,
      foreign,
      isSibling: false,
      contradiction: foreign ? undefined : contradictionOf(),
      said: new Set(),
      status: foreign ? 'SUCCESSFUL' : 'PENDING',
      lingers: !foreign && chance() < (calm || kind === 'first' ? 0 : habits.lingering),
      wasSuccessful: foreign,
      revived: false,
    };
    if (!foreign) of.balanceMinor -= paidMinor;
    of.transactions.push(made);
    return made;
  }

  /** The service does it twice by itself: one ends well, and what becomes of the other is not told for a while. */
  function addSibling(of: ModelAccount, first: Transaction, to: ExternalAccount): void {
    oddities.siblings += 1;
    const made: Transaction = {
      ...first,
      transactionId: id('tx'),
      code: to.payoutMethod.code,
      isSibling: true,
      contradiction: undefined,
      said: new Set(),
      lingers: true,
    };
    of.balanceMinor -= made.paidMinor;
    of.transactions.push(made);
    const fails = oddChance() < 0.4;
    time.after(oddChance() ** 3 * 8 * 3_600_000, () => {
      made.lingers = false;
      end(of, made, fails);
    });
  }

  function contradictionOf(): Contradiction | undefined {
    if (habits.contradicting === 0 || oddChance() >= habits.contradicting) return undefined;
    const word = oddPick(['PENDING', 'SUCCESSFUL', 'FAILED'] as const);
    const inCharge = oddChance() < 0.5;
    return { word, inCharge, untilMs: time.worldMs() + oddChance() ** 2 * 4 * 3_600_000 };
  }

  function scheduleEnd(of: ModelAccount, made: Transaction, succeeds: boolean): void {
    const fails = chance() < habits.failing && !succeeds;
    const inMs = chance() * habits.settleWithinMs;
    if (!made.lingers) time.after(inMs, () => end(of, made, fails));
  }

  function end(of: ModelAccount, made: Transaction, fails: boolean): void {
    if (made.status !== 'PENDING') return;
    made.status = fails ? 'FAILED' : 'SUCCESSFUL';
    made.wasSuccessful = !fails;
    if (fails) of.balanceMinor += made.paidMinor;
  }

  function list({ transactions }: ModelAccount, query: URLSearchParams): ModelAnswer {
    const reference = query.get('externalReference');
    const limit = Number(query.get('limit') ?? 3);
    const last = transactions.findIndex((each) => each.transactionId === query.get('transactionId'));
    const shown = transactions
      .slice(0, filterIgnored || last < 0 ? transactions.length : last)
      .filter((each) => each.visibleMs <= time.worldMs())
      .filter((each) => filterIgnored || reference === null || each.reference === reference)
      .slice(-limit)
      .reverse();
    for (const each of shown) if (!isContradictory(each)) each.said.add(each.status);
    return done({ data: shown.map((each) => view(each, true)) });
  }

  function read({ transactions }: ModelAccount, key: string): ModelAnswer {
    const found = transactions.find((each) => each.transactionId === key || each.reference === key);
    if (!found) return failure(404, 'E-TRX.S-04', 'Transaction does not exist.');
    if (!isContradictory(found)) found.said.add(found.status);
    return done({ data: view(found, false) });
  }

  function isContradictory({ contradiction, status }: Transaction): boolean {
    return (
      !calm &&
      contradiction !== undefined &&
      contradiction.word !== status &&
      time.worldMs() < contradiction.untilMs
    );
  }

  function view(of: Transaction, inList: boolean): Body {
    // The list of the specification shows whole numbers.
    const amount = inList ? Math.floor(of.paidMinor / 100) : of.paidMinor / 100;
    const wrong = isContradictory(of) ? of.contradiction : undefined;
    if (wrong) oddities.contradictions += 1;
    const { showsBeneficiary, showsReference, showsCode } = habits;
    return {
      transactionId: of.transactionId,
      type: of.type,
      status: wrong && !wrong.inCharge ? wrong.word : of.status,
      chargeStatus: (wrong?.inCharge ? wrong.word : of.status).toLowerCase(),
      amount,
      receiverAmount: amount,
      currency: 'KES',
      receiverCurrency: 'KES',
      country: 'KE',
      destination: of.destination,
      ...(showsBeneficiary && {
        beneficiary: {
          accountNumber: of.number,
          currency: 'KES',
          ...(showsCode && of.code !== '' && { bankCode: of.code }),
        },
      }),
      ...(showsReference && !inList && { externalReference: of.reference }),
    };
  }

  /** Of what stands twice nothing comes back or is revived: there payrun could do no more than tell of both. */
  const isDoubled = (of: ModelAccount, { reference }: Transaction) =>
    of.transactions.some((each) => each.isSibling && each.reference === reference);

  return {
    /** What the service does when a request reaches it; `entered`: its token was looked at long ago. */
    handle(
      { method, path, headers, body }: ModelRequest,
      { entered = false, twice = false } = {},
    ): ModelAnswer {
      const url = new URL(path, 'http://model');
      const route = `${method} ${url.pathname.slice(prefix.length)}`;
      const json = body === undefined ? {} : (JSON.parse(body) as Body);
      if (route === 'POST /auth/generate-bearer-token') return exchangeToken(headers, json);
      const of = enter(headers, entered);
      if (!of) return { status: 401, body: { success: false, message: 'Expired token' } };
      const { email, publicKey, balanceMinor } = of;
      if (route === 'GET /users')
        return done({ email, publicKey, KESWallet: { balance: balanceMinor / 100 } });
      if (route === 'GET /utilities/rates/historical') return done({ data: [] });
      if (route === 'GET /utilities/countries') return done({ data: [kenya] });
      if (route === 'GET /external-accounts') return listAccounts(of);
      if (route.startsWith('GET /external-accounts/'))
        return readAccount(of, url.pathname.slice(`${prefix}/external-accounts/`.length));
      if (route === 'POST /external-accounts') return createAccount(of, json);
      if (route.startsWith('PUT /external-accounts/'))
        return updateAccount(of, url.pathname.slice(`${prefix}/external-accounts/`.length), json);
      if (route === 'POST /utilities/account/resolve') return resolve(of, json);
      if (route === 'POST /fiat/payout') return pay(of, json, twice);
      if (route === 'GET /transactions') return list(of, url.searchParams);
      if (route.startsWith('GET /transactions/'))
        return read(of, decodeURIComponent(url.pathname.slice(`${prefix}/transactions/`.length)));
      return { status: 404, body: {} };
    },

    oddities,
    keysOf: (name: AccountName): { apiKey: string; publicKey: string } => {
      const { apiKey, publicKey } = accounts[name];
      return { apiKey, publicKey };
    },
    identityOf: (name: AccountName): Identity => {
      const { email, publicKey } = accounts[name];
      return { email, publicKey };
    },
    /** The same account under another e-mail or another public key. */
    rename: (identity: Partial<Identity>): void => void Object.assign(accounts.A, identity),
    /** What the other account of the e-mail has of us: nothing, if nobody sent there. */
    isUntouched: (name: AccountName): boolean =>
      accounts[name].stored.length === 0 && accounts[name].transactions.length === 0,
    placeOf: (name: AccountName, externalAccountId: string): ExternalAccount | undefined =>
      accounts[name].stored.find((each) => each.externalAccountId === externalAccountId),

    /** Transactions of the same account that have nothing to do with us. */
    addForeign(reference: string, type: string, amountMinor: number, number: string): void {
      const payoutMethod = { branchCode: '', code: '', accountName: '', accountNumber: number };
      add(accounts.A, reference, type, amountMinor, { destination: 'MoMo', payoutMethod }, 'foreign');
    },
    /** Stored by somebody else, long before. */
    storeForeign(number: string, code: string, accountName: string): void {
      accounts.A.stored.push({
        externalAccountId: id('acc'),
        country: 'KE',
        currency: 'KES',
        destination: 'MoMo',
        payoutMethod: { branchCode: '', code, accountName, accountNumber: number },
      });
    },

    ignoreFilter: (ignored: boolean): void => {
      filterIgnored = ignored;
    },
    revokeTokens: (): void => {
      for (const [token, { of }] of tokens) tokens.set(token, { of, expiresMs: 0 });
    },
    /** The reference is taken, and nothing will ever stand under it. */
    burn: (reference: string): void => void accounts.A.used.add(reference),
    isBurnt: (reference: string): boolean =>
      accounts.A.used.has(reference) && !accounts.A.transactions.some((each) => each.reference === reference),
    topUp: (byMinor: number): void => {
      accounts.A.balanceMinor += byMinor;
    },

    /** Refuses nothing more and brings everything that lingers to an end. */
    calmDown(): void {
      calm = true;
      for (const of of both) {
        for (const each of of.transactions.filter(({ lingers }) => lingers)) {
          each.lingers = false;
          end(of, each, (each.isSibling ? oddChance() : chance()) < 0.3);
        }
      }
    },

    /** Money that comes back days later. */
    returnSome(): string[] {
      const back: string[] = [];
      for (const each of accounts.A.transactions) {
        if (each.foreign || each.status !== 'SUCCESSFUL' || chance() >= habits.returning) continue;
        if (isDoubled(accounts.A, each)) continue;
        each.status = 'FAILED';
        accounts.A.balanceMinor += each.paidMinor;
        back.push(each.reference);
      }
      return back;
    },

    /** What was called failed is paid after all, days later or at once. */
    reviveSome(mayPay: (entry: { readonly reference: string }) => boolean): string[] {
      const back: string[] = [];
      for (const each of accounts.A.transactions) {
        if (each.foreign || each.status !== 'FAILED' || each.wasSuccessful) continue;
        if (isDoubled(accounts.A, each) || !mayPay(each)) continue;
        Object.assign(each, { status: 'SUCCESSFUL', wasSuccessful: true, revived: true });
        accounts.A.balanceMinor -= each.paidMinor;
        back.push(each.reference);
      }
      return back;
    },

    /** What was paid for us, from whichever account, as the oracle reads it. */
    ledger: (): ModelEntry[] =>
      both.flatMap(({ transactions }) =>
        transactions
          .filter(({ foreign }) => !foreign)
          .map((each) => ({
            transactionId: each.transactionId,
            reference: each.reference,
            status: each.status,
            currency: 'KES',
            amount: (each.amountMinor / 100).toFixed(2),
            paid: (each.paidMinor / 100).toFixed(2),
            number: each.number,
            returned: each.wasSuccessful && each.status === 'FAILED',
            revived: each.revived && each.status === 'SUCCESSFUL',
            visibleMs: each.visibleMs,
            isSibling: each.isSibling,
            isContradictory: isContradictory(each),
            said: each.said,
          })),
      ),
  };
}

/** Some of them speak of a use and of a reference, and none of a used reference. */
const refusals = [
  'Payout not possible.',
  'No funds were used. Reference: {trace}',
  'Refused, reference {trace}. Already used limits may apply.',
  'The destination is closed ({trace}); nothing was taken.',
];

export interface ModelEntry extends LedgerEntry {
  readonly returned: boolean;
  /** Called failed before, and successful now. */
  readonly revived: boolean;
  /** From when on the list shows it. */
  readonly visibleMs: number;
  /** Made by the service itself, beside the one that was asked for. */
  readonly isSibling: boolean;
  /** Whether its two words for the status do not mean the same at this moment. */
  readonly isContradictory: boolean;
  /** What reads of it have said without a contradiction. */
  readonly said: ReadonlySet<TransactionStatus>;
}

export type ModelService = ReturnType<typeof createModelService>;

const kenya = { name: 'Kenya', iso2: 'KE', iso3: 'KEN', currency: { code: 'KES', decimal: '2' } };

/** As it stands, or in other words that say no more; always the same for a number. */
function echoOf(number: string, name: string): string {
  const forms = Object.values(echoForms);
  const form = forms[Number(number.slice(-3)) % (forms.length + 1)];
  return form ? form(name) : name;
}
