/**
 * The countries payrun knows. Codes, dialing codes and decimals are standards; operators and account lengths
 * are common knowledge and only ever a reason to warn: numbers move between operators, lengths vary by bank.
 */
export interface Country {
  readonly iso2: string;
  readonly iso3: string;
  readonly name: string;
  readonly dialingCode: string;
  readonly currency: string;
  readonly operators: readonly Operator[];
  /** Usual length of a bank account number. */
  readonly accountDigits: { readonly min: number; readonly max: number };
  /** The service asks for a branch code on every external account here, mobile money included. */
  readonly branchCodeNeeded: boolean;
}

export interface Operator {
  readonly id: string;
  readonly name: string;
}

export interface Currency {
  readonly code: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Countries in which a wallet of this currency can exist; more than one makes debitCountry meaningful. */
  readonly walletCountries: readonly string[];
}

function country(
  iso2: string,
  iso3: string,
  name: string,
  dialingCode: string,
  currency: string,
  operators: Record<string, string>,
  accountDigits: readonly [min: number, max: number],
): Country {
  return {
    iso2,
    iso3,
    name,
    dialingCode,
    currency,
    operators: Object.entries(operators).map(([id, operatorName]) => ({ id, name: operatorName })),
    accountDigits: { min: accountDigits[0], max: accountDigits[1] },
    branchCodeNeeded: iso2 === 'UG' || iso2 === 'TZ',
  };
}

export const countries: readonly Country[] = [
  country(
    'KE',
    'KEN',
    'Kenya',
    '254',
    'KES',
    { mpesa: 'M-PESA', airtel: 'Airtel Money', tkash: 'T-Kash' },
    [10, 14],
  ),
  country('UG', 'UGA', 'Uganda', '256', 'UGX', { mtn: 'MTN', airtel: 'Airtel' }, [10, 14]),
  country(
    'TZ',
    'TZA',
    'Tanzania',
    '255',
    'TZS',
    { mpesa: 'M-Pesa', airtel: 'Airtel', mixx: 'Mixx by Yas', halopesa: 'HaloPesa' },
    [10, 14],
  ),
  country('NG', 'NGA', 'Nigeria', '234', 'NGN', {}, [10, 10]),
  country(
    'GH',
    'GHA',
    'Ghana',
    '233',
    'GHS',
    { mtn: 'MTN', telecel: 'Telecel Cash', at: 'AT Money' },
    [10, 16],
  ),
  country('RW', 'RWA', 'Rwanda', '250', 'RWF', { mtn: 'MTN', airtel: 'Airtel' }, [12, 16]),
  country('ZM', 'ZMB', 'Zambia', '260', 'ZMW', { mtn: 'MTN', airtel: 'Airtel', zamtel: 'Zamtel' }, [10, 13]),
  country(
    'CI',
    'CIV',
    "Côte d'Ivoire",
    '225',
    'XOF',
    { orange: 'Orange', mtn: 'MTN', moov: 'Moov', wave: 'Wave' },
    [24, 24],
  ),
  country(
    'SN',
    'SEN',
    'Senegal',
    '221',
    'XOF',
    { orange: 'Orange', yas: 'Yas', expresso: 'Expresso', wave: 'Wave' },
    [24, 24],
  ),
  country('CM', 'CMR', 'Cameroon', '237', 'XAF', { mtn: 'MTN', orange: 'Orange' }, [23, 23]),
  country('MW', 'MWI', 'Malawi', '265', 'MWK', { airtel: 'Airtel', tnm: 'TNM Mpamba' }, [7, 14]),
  country(
    'BW',
    'BWA',
    'Botswana',
    '267',
    'BWP',
    { orange: 'Orange Money', myzaka: 'MyZaka', smega: 'Smega', ott: 'OTT voucher' },
    [7, 13],
  ),
  country('ZA', 'ZAF', 'South Africa', '27', 'ZAR', {}, [9, 11]),
  country('US', 'USA', 'United States', '1', 'USD', {}, [4, 17]),
];

function currency(
  code: string,
  symbol: string,
  decimals: number,
  walletCountries: readonly string[],
): Currency {
  return { code, symbol, decimals, walletCountries };
}

export const currencies: readonly Currency[] = [
  currency('KES', 'KSh', 2, ['KE']),
  currency('UGX', 'USh', 0, ['UG']),
  currency('TZS', 'TSh', 2, ['TZ']),
  currency('NGN', '₦', 2, ['NG']),
  currency('GHS', 'GH₵', 2, ['GH']),
  currency('RWF', 'FRw', 0, ['RW']),
  currency('ZMW', 'ZK', 2, ['ZM']),
  currency('XOF', 'CFA', 0, ['CI', 'SN']),
  currency('XAF', 'FCFA', 0, ['CM']),
  currency('MWK', 'MK', 2, ['MW']),
  currency('BWP', 'P', 2, ['BW']),
  currency('ZAR', 'R', 2, ['ZA']),
  currency('USD', '$', 2, ['US', 'KE', 'NG']),
];

const byIso2 = new Map(countries.map((each) => [each.iso2, each]));
const byCode = new Map(currencies.map((each) => [each.code, each]));

export function findCountry(iso2: string): Country | undefined {
  return byIso2.get(iso2);
}

export function findCurrency(code: string): Currency | undefined {
  return byCode.get(code);
}

/** A currency with wallets in several countries is the reason debitCountry exists. */
export function hasSeveralWallets(code: string): boolean {
  return (byCode.get(code)?.walletCountries.length ?? 0) > 1;
}

/** What can be paid out in a country: its own currency, and dollars where dollar wallets exist there. */
export function isPayable(currencyCode: string, iso2: string): boolean {
  return (
    byIso2.get(iso2)?.currency === currencyCode ||
    byCode.get(currencyCode)?.walletCountries.includes(iso2) === true
  );
}
