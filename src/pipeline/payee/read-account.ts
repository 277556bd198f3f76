import type { NotOk } from '../../service/call-outcome.ts';
import type { Service } from '../../service/client.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';

/** What the service says of one account, asked by itself. */
type ReadAccount =
  | { readonly kind: 'shown'; readonly account: ExternalAccount }
  | { readonly kind: 'not-shown' }
  | { readonly kind: 'no-answer'; readonly outcome: NotOk };

/** An account is believed only under its own id: another one, shown in its place, is none. */
export async function readAccount(
  service: Pick<Service, 'readExternalAccount'>,
  id: string,
): Promise<ReadAccount> {
  const read = await service.readExternalAccount({ params: { externalAccountId: id } });
  if (read.kind === 'ok') {
    const { data: account } = read.value;
    return account.externalAccountId === id ? { kind: 'shown', account } : { kind: 'not-shown' };
  }
  return read.kind === 'refused' ? { kind: 'not-shown' } : { kind: 'no-answer', outcome: read };
}
