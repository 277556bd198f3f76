import type { ReadOnlyService } from './inspect-service.ts';

/** The reads of a service, each of which ends once the signal says so: nothing has to be finished before anything is sent. */
export function readUntil(service: ReadOnlyService, signal: AbortSignal): ReadOnlyService {
  const until = <Options extends { readonly signal?: AbortSignal | undefined }>(options?: Options) => ({
    ...options,
    signal: options?.signal ? AbortSignal.any([options.signal, signal]) : signal,
  });
  return {
    readUser: (request, options) => service.readUser(request, until(options)),
    listRates: (request, options) => service.listRates(request, until(options)),
    listCountries: (request, options) => service.listCountries(request, until(options)),
    listExternalAccounts: (request, options) => service.listExternalAccounts(request, until(options)),
    resolveAccount: (request, options) => service.resolveAccount(request, until(options)),
    listTransactions: (request, options) => service.listTransactions(request, until(options)),
    readTransaction: (request, options) => service.readTransaction(request, until(options)),
  };
}
