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

/** The operators of each country by the ids that the service takes; a country that is not there has no mobile money. */
const operatorNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  KE: { mpesa: 'M-PESA', airtel: 'Airtel Money', tkash: 'T-Kash' },
  UG: { mtn: 'MTN', airtel: 'Airtel' },
  TZ: { mpesa: 'M-Pesa', airtel: 'Airtel', mixx: 'Mixx by Yas', halopesa: 'HaloPesa' },
  GH: { mtn: 'MTN', telecel: 'Telecel Cash', at: 'AT Money' },
  RW: { mtn: 'MTN', airtel: 'Airtel' },
  ZM: { mtn: 'MTN', airtel: 'Airtel', zamtel: 'Zamtel' },
  CI: { orange: 'Orange', mtn: 'MTN', moov: 'Moov', wave: 'Wave' },
  SN: { orange: 'Orange', yas: 'Yas', expresso: 'Expresso', wave: 'Wave' },
  CM: { mtn: 'MTN', orange: 'Orange' },
  MW: { airtel: 'Airtel', tnm: 'TNM Mpamba' },
  BW: { orange: 'Orange Money', myzaka: 'MyZaka', smega: 'Smega', ott: 'OTT voucher' },
};

function country(
  iso2: string,
  iso3: string,
  name: string,
  dialingCode: string,
  currency: string,
  [min, max]: readonly [number, number],
): Country {
  return {
    iso2,
    iso3,
    name,
    dialingCode,
    currency,
    operators: Object.entries(operatorNames[iso2] ?? {}).map(([id, operator]) => ({ id, name: operator })),
    accountDigits: { min, max },
    branchCodeNeeded: iso2 === 'UG' || iso2 === 'TZ',
  };
}

export const countries: readonly Country[] = [
  country('KE', 'KEN', 'Kenya', '254', 'KES', [10, 14]),
  country('UG', 'UGA', 'Uganda', '256', 'UGX', [10, 14]),
  country('TZ', 'TZA', 'Tanzania', '255', 'TZS', [10, 14]),
  country('NG', 'NGA', 'Nigeria', '234', 'NGN', [10, 10]),
  country('GH', 'GHA', 'Ghana', '233', 'GHS', [10, 16]),
  country('RW', 'RWA', 'Rwanda', '250', 'RWF', [12, 16]),
  country('ZM', 'ZMB', 'Zambia', '260', 'ZMW', [10, 13]),
  country('CI', 'CIV', "Côte d'Ivoire", '225', 'XOF', [24, 24]),
  country('SN', 'SEN', 'Senegal', '221', 'XOF', [24, 24]),
  country('CM', 'CMR', 'Cameroon', '237', 'XAF', [23, 23]),
  country('MW', 'MWI', 'Malawi', '265', 'MWK', [7, 14]),
  country('BW', 'BWA', 'Botswana', '267', 'BWP', [7, 13]),
  country('ZA', 'ZAF', 'South Africa', '27', 'ZAR', [9, 11]),
  country('US', 'USA', 'United States', '1', 'USD', [4, 17]),
];

const currencyLines: readonly [code: string, symbol: string, decimals: number, walletCountries: string[]][] =
  [
    ['KES', 'KSh', 2, ['KE']],
    ['UGX', 'USh', 0, ['UG']],
    ['TZS', 'TSh', 2, ['TZ']],
    ['NGN', '₦', 2, ['NG']],
    ['GHS', 'GH₵', 2, ['GH']],
    ['RWF', 'FRw', 0, ['RW']],
    ['ZMW', 'ZK', 2, ['ZM']],
    ['XOF', 'CFA', 0, ['CI', 'SN']],
    ['XAF', 'FCFA', 0, ['CM']],
    ['MWK', 'MK', 2, ['MW']],
    ['BWP', 'P', 2, ['BW']],
    ['ZAR', 'R', 2, ['ZA']],
    ['USD', '$', 2, ['US', 'KE', 'NG']],
  ];

export const currencies: readonly Currency[] = currencyLines.map(
  ([code, symbol, decimals, walletCountries]) => ({ code, symbol, decimals, walletCountries }),
);

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
