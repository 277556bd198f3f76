import { randomUUID } from 'node:crypto';
import { serviceError } from '../run/service-error.ts';
import type { LookUpService } from './look-up.ts';

/** A list that ignores the filter would find anything, and so nothing that it says can be believed. */
export async function isSearchable(service: Pick<LookUpService, 'listTransactions'>): Promise<boolean> {
  const listed = await service.listTransactions({ query: { externalReference: randomUUID(), limit: 1 } });
  if (listed.kind !== 'ok') throw serviceError(listed, 'Payouts could not be looked up');
  return listed.value.data.length === 0;
}
