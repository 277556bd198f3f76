import { type Interference, isLookUp, isPage, type SeenCall } from './watched-service.ts';

export type Shown = Readonly<Record<string, unknown>> & { readonly transactionId: string };

/** The service shows its transactions otherwise than they are, one by one and in lists. */
export function showsOtherwise(change: (shown: Shown) => Readonly<Record<string, unknown>>): Interference {
  return {
    kind: 'change',
    reply: (text) => {
      const reply = JSON.parse(text) as { data?: Shown | Shown[] };
      const { data } = reply;
      if (data === undefined) return text;
      const changed = Array.isArray(data)
        ? data.map((each) => ({ ...each, ...change(each) }))
        : { ...data, ...change(data) };
      return JSON.stringify({ ...reply, data: changed });
    },
  };
}

/** The read of one transaction. */
export function isRead({ method, path }: SeenCall): boolean {
  return method === 'GET' && /^\/transactions\/./.test(path);
}

/** Any way of seeing a transaction. */
export function isSeeing(call: SeenCall): boolean {
  return isRead(call) || isLookUp(call) || isPage(call);
}
