import type { Service } from '../../service/client.ts';
import { serviceError } from '../run/service-error.ts';

/** How many decimals the service takes, by currency. One that it does not name, or names without a number, is left out. */
export async function serviceDecimals(
  service: Pick<Service, 'listCountries'>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const listed = await service.listCountries({}, { signal });
  if (listed.kind !== 'ok') throw serviceError(listed, 'The currencies of the service could not be read');
  const fewest = new Map<string, number>();
  for (const { currency } of listed.value.data) {
    const text = String(currency?.decimal ?? '').trim();
    const code = currency?.code.trim().toUpperCase() ?? '';
    if (!/^\d$/.test(text)) continue;
    fewest.set(code, Math.min(Number(text), fewest.get(code) ?? Number(text)));
  }
  return fewest;
}
