/** A payout as the service has it: the last word on what happened. */
export interface SeenPayout {
  readonly transactionId: string;
  readonly reference: string;
  readonly status: string;
  readonly currency: string;
  readonly amount: string;
  readonly number: string;
  readonly bankCode: string;
  readonly accountName: string;
}

/** The payouts among the transactions that the sandbox shows of itself, in the order in which it accepted them. */
export function seenPayouts(shown: readonly Readonly<Record<string, string>>[]): SeenPayout[] {
  return shown
    .filter((each) => each['type'] === 'withdrew')
    .map((each) => ({
      transactionId: each['transactionId'] ?? '',
      reference: each['externalReference'] ?? '',
      status: each['status'] ?? '',
      currency: each['currency'] ?? '',
      amount: each['amount'] ?? '',
      number: each['accountNumber'] ?? '',
      bankCode: each['bankCode'] ?? '',
      accountName: each['accountName'] ?? '',
    }));
}
