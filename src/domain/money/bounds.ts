import type { Minor } from './money.ts';

/** What a person has confirmed for a batch in one currency: it sends no more, over all runs. */
export interface Bound {
  /** Of what is paid in the currency: a total that was confirmed or typed. */
  readonly paidMinor?: Minor | undefined;
  /** Of what is paid in it and about debited in it for other currencies, together: a limit. */
  readonly mostMinor?: Minor | undefined;
}

/** By currency. One that is not there is not bounded. */
export type Bounds = ReadonlyMap<string, Bound>;

type BoundDocument = { readonly paidMinor?: string; readonly mostMinor?: string };

/** For the journal. Sums may be longer than a number of SQL or of JSON is exact. */
export function boundsDocument(bounds: Bounds): Record<string, BoundDocument> {
  return Object.fromEntries([...bounds].map(([currency, bound]) => [currency, converted(bound, String)]));
}

export function boundsFromDocument(document: Readonly<Record<string, BoundDocument>>): Bounds {
  return new Map(Object.entries(document).map(([currency, bound]) => [currency, converted(bound, BigInt)]));
}

function converted<From, To>(
  { paidMinor, mostMinor }: { readonly paidMinor?: From | undefined; readonly mostMinor?: From | undefined },
  convert: (minor: From) => To,
): { paidMinor?: To; mostMinor?: To } {
  return {
    ...(paidMinor === undefined ? {} : { paidMinor: convert(paidMinor) }),
    ...(mostMinor === undefined ? {} : { mostMinor: convert(mostMinor) }),
  };
}

/** A later command may allow less than was confirmed, never more. */
export function tightenBounds(bounds: Bounds, maxTotal: ReadonlyMap<string, Minor>): Bounds {
  const tighter = new Map(bounds);
  for (const [currency, most] of maxTotal) {
    const known = tighter.get(currency);
    const mostMinor = known?.mostMinor !== undefined && known.mostMinor < most ? known.mostMinor : most;
    tighter.set(currency, { ...known, mostMinor });
  }
  return tighter;
}
