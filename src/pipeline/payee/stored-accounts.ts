import type { ExternalAccount } from '../../service/contract/external-accounts.ts';
import type { RunContext } from '../run/run-context.ts';
import { serviceError } from '../run/service-error.ts';
import { accountsByKey } from './account-key.ts';
import { accountsById } from './accounts-by-id.ts';
import { storedNames } from './stored-names.ts';

/** The service's list, read once a run and kept up with what the run adds. */
export interface StoredAccounts {
  readonly byId: Map<string, ExternalAccount>;
  /** Several where one was stored for each operator. */
  readonly byNumber: Map<string, ExternalAccount[]>;
  /** Made or changed in this stage: nothing but the answer says yet what stands there. With whose it is. */
  readonly written: Map<string, string>;
  /** Of those that were made, what was given as the account of two payees. */
  readonly contested: Set<string>;
  /** Of those that were made, what another run has as the account of another payee. */
  readonly lost: Set<string>;
}

export async function readStoredAccounts({ service, memory }: RunContext): Promise<StoredAccounts> {
  const listed = await service.listExternalAccounts();
  if (listed.kind !== 'ok') throw serviceError(listed, 'The external accounts could not be read');
  const accounts = listed.value.data;
  memory.storedNames = storedNames(accounts);
  return {
    byId: accountsById(accounts),
    byNumber: accountsByKey(accounts),
    written: new Map(),
    contested: new Set(),
    lost: new Set(),
  };
}
