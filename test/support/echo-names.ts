import type { Interference, SeenCall, WatchedService } from './watched-service.ts';

/**
 * Makes the service answer with the name that is stored with an account wherever one is stored, in capitals, and with
 * the true holder elsewhere. What `stored` holds, by number, was stored by somebody else.
 */
export function echoNames(service: WatchedService, stored: ReadonlyMap<string, string> = new Map()): void {
  const names = new Map(stored);
  service.interfere((call) => echo(call, names));
}

function echo({ method, path, body }: SeenCall, names: Map<string, string>): Interference | undefined {
  if (method === 'POST' && path === '/external-accounts') {
    const { payload } = JSON.parse(body) as { payload: Readonly<Record<string, string>> };
    const { firstName, lastName, accountName = `${firstName} ${lastName}` } = payload;
    names.set(payload['phoneNumber'] ?? payload['accountNumber'] ?? '', accountName);
  }
  if (method === 'PUT' && path.startsWith('/external-accounts/')) {
    const { payoutMethod } = JSON.parse(body) as { payoutMethod: Readonly<Record<string, string>> };
    names.set(payoutMethod['accountNumber'] ?? '', payoutMethod['accountName'] ?? '');
  }
  if (path !== '/utilities/account/resolve') return undefined;
  const { accountNumber } = JSON.parse(body) as { accountNumber: string };
  const name = names.get(accountNumber);
  if (name === undefined) return undefined;
  const data = { accountId: accountNumber, accountName: name.toUpperCase() };
  return { kind: 'answer', status: 200, body: { success: true, data } };
}
