import { workspaceCommand } from '../flags/next-batch-command.ts';
import type { CommonFlags, Shown } from './described-call.ts';

/** What is known of a charge just after it was made. */
interface Charge {
  readonly transactionId: string;
  readonly reference: string;
  readonly message?: string | undefined;
  readonly stepRequired?: string | null | undefined;
  readonly redirectUrl?: string | null | undefined;
  readonly virtualAccount?: VirtualAccount | undefined;
}

interface VirtualAccount {
  readonly accountNumber: string;
  readonly bankName?: string | undefined;
  readonly amount?: string | undefined;
  readonly expiresAt: string;
  readonly note?: string | undefined;
}

/** Field by field: what else a service says of a charge may repeat the card. */
export function chargeShown({ virtualAccount, ...charge }: Charge, flags: CommonFlags): Shown {
  const { transactionId, reference, message, stepRequired, redirectUrl } = charge;
  const { accountNumber, bankName, amount, expiresAt, note } = virtualAccount ?? {};
  const words = ['service', 'charge', 'authorise', transactionId, '--type', stepRequired ?? ''];
  return {
    text: {
      heads: ['transaction', 'reference', 'waits for', 'payer goes to', 'account', 'bank', 'amount', 'until'],
      rows: [
        [transactionId, reference, stepRequired, redirectUrl, accountNumber, bankName, amount, expiresAt],
      ],
      notes: [
        ...[message, note].flatMap((said) => said ?? []),
        ...(stepRequired ? [`Next: ${workspaceCommand(words, flags)}`] : []),
      ],
      single: true,
    },
    data: {
      transactionId,
      externalReference: reference,
      message,
      stepRequired,
      redirectUrl,
      ...(virtualAccount && { virtualAccount: { accountNumber, bankName, amount, expiresAt, note } }),
    },
  };
}
