import type { HeldByService } from './compare-with-service.ts';

/** Why what the service shows keeps a person from calling a pending payout unpaid; undefined where it shows no end of it. */
export function endShown(held: HeldByService): string | undefined {
  if (held.unavailable !== undefined) return `the service could not be asked about it: ${held.unavailable}`;
  const [paid] = held.successful;
  if (paid) return `the service says that it is paid (${paid.transactionId}): payrun resume takes that in`;
  const [contradiction] = held.contradictions;
  if (contradiction !== undefined) return `${contradiction}: ask the service which of them is true`;
  if (held.settledOtherwise)
    return `another transaction stands under its reference, and may have ended: ${held.differences.join('; ')}`;
  return held.status === 'failed'
    ? 'the service says that it failed: payrun resume takes that in'
    : undefined;
}

/** What is shown of one that has not ended, in a few words. */
export function openShown({ open }: Pick<HeldByService, 'open'>): string {
  if (open.length === 0) return 'nothing of it';
  return `${open.length === 1 ? 'transaction' : 'transactions'} ${open.join(', ')}, pending`;
}
