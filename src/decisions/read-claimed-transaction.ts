import type { ShownTransaction } from '../domain/payout/shown-transaction.ts';
import { withoutTrailing } from '../domain/text/without-trailing.ts';
import { PayrunError } from '../errors.ts';
import { mostHits, rowsOf } from '../pipeline/look-up/look-up.ts';
import { serviceError } from '../pipeline/run/service-error.ts';
import type { Service } from '../service/client.ts';
import type { SingleTransaction } from '../service/contract/transactions.ts';

/** The transaction that a person says paid a payout, as the service shows it. Whose it is, is judged elsewhere. */
export async function readClaimedTransaction(
  service: Pick<Service, 'readTransaction'>,
  transactionId: string,
): Promise<SingleTransaction> {
  const read = await service.readTransaction({ params: { transactionId } });
  if (read.kind === 'ok') return read.value.data;
  if (read.kind === 'refused') {
    throw new PayrunError(
      'transaction-not-found',
      `The service shows no transaction ${transactionId}: ${withoutTrailing(read.message ?? read.errorCode, '.')}. Nothing was changed.`,
    );
  }
  throw serviceError(read, `Transaction ${transactionId} could not be read`);
}

/** What the list says of it under the reference of a payout: it may show what the single read leaves out. */
export async function listClaimedTransaction(
  service: Pick<Service, 'listTransactions'>,
  externalReference: string,
  transactionId: string,
): Promise<ShownTransaction[]> {
  const listed = await service.listTransactions({ query: { externalReference, limit: mostHits } });
  if (listed.kind !== 'ok') throw serviceError(listed, `Transaction ${transactionId} could not be looked up`);
  return rowsOf(listed.value.data, transactionId);
}
