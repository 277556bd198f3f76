import { banks } from '../../domain/reference-data/banks.ts';
import { countries, findCurrency } from '../../domain/reference-data/countries.ts';
import { canonicalNumber } from '../faults/rail-rules.ts';
import { answer, failure, invalid } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { historicalRates } from '../store/rates.ts';

/** Rails no provider answers for; a number with that ending stands for one anywhere. */
const unresolvedBankCurrencies: readonly string[] = ['USD', 'ZAR'];

export const resolveAccount: Route<'resolveAccount'> = (world, { body }) => {
  if (!findCurrency(body.currency)) return invalid(`currency ${body.currency} is not supported`);
  const isMomo = body.method === 'momo';
  const rail = countries.some((each) => each.currency === body.currency && each.operators.length > 0);
  if (isMomo ? !rail : unresolvedBankCurrencies.includes(body.currency)) return failure('E-CH-PY.S-38');
  if (isMomo && !/^\+?\d{7,15}$/.test(body.accountNumber)) return failure('E-CH-PY.S-37');
  const number = canonicalNumber(isMomo ? 'MoMo' : 'Bank Account', body.accountNumber);
  const bankCode = body.method === 'bank' ? body.bankCode : undefined;
  const resolved = world.directory.resolve({ number, bankCode });
  if ('code' in resolved) return failure(resolved.code);
  return answer({ data: { accountId: number, accountName: resolved.name } });
};

export const listRates: Route<'listRates'> = (_world, { query, atMs }) => {
  for (const code of [query.from, query.to]) {
    if (code !== undefined && !findCurrency(code)) return invalid(`currency ${code} is not supported`);
  }
  return answer({ data: historicalRates(atMs, query.from, query.to) });
};

export const listBranches: Route<'listBranches'> = (_world, { query }) => {
  const bank = banks.find((each) => each.id === query.bankId);
  if (!bank || bank.branches.length === 0) return failure('E-API-UT.S-39');
  const data = bank.branches.map((branch, index) => ({
    id: bank.id * 100 + index + 1,
    branch_code: branch.code,
    branch_name: branch.name,
    swift_code: bank.swift ?? null,
    bic: null,
    bank_id: bank.id,
  }));
  return answer({ data });
};

export const listCountries: Route<'listCountries'> = () =>
  answer({
    data: countries.map(({ name, iso2, iso3, dialingCode, currency }) => {
      const money = findCurrency(currency);
      return {
        name,
        iso2,
        iso3,
        dialing_code: dialingCode,
        currency: { code: currency, symbol: money?.symbol ?? '', decimal: String(money?.decimals ?? 0) },
      };
    }),
  });
