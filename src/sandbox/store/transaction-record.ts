import type { Minor } from '../../domain/money/money.ts';

export interface TransactionRecord {
  readonly seq: number;
  readonly id: string;
  readonly type: 'withdrew' | 'deposit';
  readonly status: 'PENDING' | 'SUCCESSFUL' | 'FAILED';
  readonly method: 'momo' | 'bank' | 'card' | 'bank-transfer';
  readonly externalReference: string;
  readonly country: string;
  readonly destination: string;
  readonly currency: string;
  readonly amountMinor: Minor;
  readonly senderCurrency: string;
  readonly senderMinor: Minor;
  readonly receiverCurrency: string;
  readonly receiverMinor: Minor;
  /** The ledger account that is debited by a payout or credited by a charge. */
  readonly wallet: string;
  readonly bankCode: string;
  readonly accountName: string;
  readonly accountNumber: string;
  readonly createdMs: number;
  readonly changedMs: number;
  readonly stepRequired: string | null;
  readonly redirectUrl: string | null;
  readonly fate: string;
  /** Made under the sandbox prefix: its webhooks go to the sandbox URL. */
  readonly test: boolean;
}
