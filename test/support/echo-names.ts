import type { Interference, SeenCall, WatchedService } from './watched-service.ts';

/** In which form the service says a name that it only repeats. */
export const echoForms = {
  'in capitals': (name: string) => name.toUpperCase(),
  'last name first': (name: string) => {
    const words = name.toUpperCase().split(' ');
    return [...words.slice(-1), ...words.slice(0, -1)].join(' ');
  },
  'cut to two words': (name: string) => name.toUpperCase().split(' ').slice(0, 2).join(' '),
  'cut in its last word': (name: string) => name.toUpperCase().slice(0, -2),
  'with a title': (name: string) => `MR ${name.toUpperCase()}`,
  'with an initial': (name: string) => name.toUpperCase().replace(/(?<= .).*(?= )/, ''),
  'in one word': (name: string) => name.toUpperCase().replace(' ', ''),
  'with a word of its own': (name: string) => `CUSTOMER ${name.toUpperCase()} VERIFIED`,
} as const;

export type EchoForm = keyof typeof echoForms;

/**
 * Makes the service answer with the name that is stored with an account wherever one is stored, in capitals or another
 * form, and with the true holder elsewhere. What `stored` holds, by number, was stored by somebody else.
 */
export function echoNames(
  service: WatchedService,
  stored: ReadonlyMap<string, string> = new Map(),
  form: EchoForm = 'in capitals',
): void {
  const names = new Map(stored);
  service.interfere((call) => echoedName(call, names, form));
}

/** The same for one call, where more is to be interfered with. */
export function echoedName(
  { method, path, body }: SeenCall,
  names: Map<string, string>,
  form: EchoForm,
): Interference | undefined {
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
  const data = { accountId: accountNumber, accountName: echoForms[form](name) };
  return { kind: 'answer', status: 200, body: { success: true, data } };
}
