import type { AccountName } from './accounts.ts';

export type TransactionStatus = 'PENDING' | 'SUCCESSFUL' | 'FAILED';

/** Of two words for one status the one that is wrong, and for how long it is said. */
export interface Contradiction {
  readonly word: TransactionStatus;
  /** Whether it stands in `chargeStatus`; else in `status`. */
  readonly inCharge: boolean;
  readonly untilMs: number;
}

export interface Transaction {
  readonly transactionId: string;
  readonly reference: string;
  readonly type: string;
  /** As it was asked for. */
  readonly amountMinor: number;
  /** What the payee gets of it. */
  readonly paidMinor: number;
  readonly number: string;
  readonly code: string;
  readonly destination: string;
  readonly visibleMs: number;
  readonly foreign: boolean;
  /** The service's own doing: it stands beside the one that was asked for. */
  readonly isSibling: boolean;
  readonly contradiction: Contradiction | undefined;
  /** What a read of it has said without contradicting itself. */
  readonly said: Set<TransactionStatus>;
  status: TransactionStatus;
  lingers: boolean;
  wasSuccessful: boolean;
  /** It was called failed, and was paid after all. */
  revived: boolean;
}

/** Where money goes, as one account of the service has stored it. */
export interface ExternalAccount {
  readonly externalAccountId: string;
  readonly country: string;
  readonly currency: string;
  readonly destination: string;
  payoutMethod: {
    readonly branchCode: string;
    readonly code: string;
    readonly accountName: string;
    readonly accountNumber: string;
  };
}

/** One account at the service: two of them may share an e-mail, and nothing else. */
export interface ModelAccount {
  readonly name: AccountName;
  readonly apiKey: string;
  email: string;
  publicKey: string;
  balanceMinor: number;
  readonly transactions: Transaction[];
  readonly stored: ExternalAccount[];
  readonly used: Set<string>;
}

export function openAccount(name: AccountName, email: string, balanceMinor: number): ModelAccount {
  return {
    name,
    apiKey: `model-api-key-${name}`,
    email,
    publicKey: `model-public-key-${name}`,
    balanceMinor,
    transactions: [],
    stored: [],
    used: new Set(),
  };
}
