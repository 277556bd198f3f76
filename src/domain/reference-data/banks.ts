/** Banks by country. The service lists no banks, so this table serves names, suggestions and the embedded service. */
export interface Bank {
  /** The service's numeric id, as the branch list takes it. */
  readonly id: number;
  readonly country: string;
  readonly code: string;
  readonly name: string;
  readonly swift: string | undefined;
  readonly branches: readonly Branch[];
}

export interface Branch {
  readonly code: string;
  readonly name: string;
}

/** Branches as `100 Moi Avenue Nairobi, 101 Kipande House`. */
type BankLine = readonly [code: string, name: string, swift?: string, branches?: string];

const kampalaBranches = '0001 Kampala Main, 0002 Entebbe, 0003 Jinja, 0004 Mbarara, 0005 Gulu';
const tanzaniaBranches = '001 Dar es Salaam, 002 Arusha, 003 Mwanza, 004 Dodoma, 005 Mbeya';

const lines: Record<string, readonly BankLine[]> = {
  KE: [
    ['01', 'KCB Bank', 'KCBLKENX', '100 Moi Avenue Nairobi, 101 Kipande House, 104 Mombasa Treasury'],
    ['02', 'Standard Chartered', 'SCBLKENX'],
    ['03', 'Absa Bank Kenya', 'BARCKENX', '001 Head Office, 002 Kapsabet'],
    ['07', 'NCBA Bank', 'CBAFKENX'],
    ['11', 'Co-operative Bank', 'KCOOKENA', '000 Head Office, 002 Co-op House'],
    ['31', 'Stanbic Bank', 'SBICKENX'],
    ['57', 'I&M Bank', 'IMBLKENA'],
    ['63', 'Diamond Trust Bank', 'DTKEKENA'],
    ['68', 'Equity Bank', 'EQBLKENA', '000 Head Office, 001 Corporate, 002 Fourways'],
  ],
  UG: [
    ['04', 'Stanbic Bank Uganda', 'SBICUGKX', kampalaBranches],
    ['05', 'DFCU Bank', 'DFCUUGKA', kampalaBranches],
    ['16', 'Centenary Bank', 'CERBUGKA', kampalaBranches],
    ['30', 'Equity Bank Uganda', 'EQBLUGKA', kampalaBranches],
  ],
  TZ: [
    ['003', 'CRDB Bank', 'CORUTZTZ', tanzaniaBranches],
    ['016', 'NMB Bank', 'NMIBTZTZ', tanzaniaBranches],
    ['025', 'NBC Bank', 'NLCBTZTX', tanzaniaBranches],
  ],
  NG: [
    ['011', 'First Bank of Nigeria', 'FBNINGLA'],
    ['032', 'Union Bank', 'UBNINGLA'],
    ['033', 'United Bank for Africa', 'UNAFNGLA'],
    ['035', 'Wema Bank', 'WEMANGLA'],
    ['044', 'Access Bank', 'ABNGNGLA'],
    ['050', 'Ecobank Nigeria', 'ECOCNGLA'],
    ['057', 'Zenith Bank', 'ZEIBNGLA'],
    ['058', 'Guaranty Trust Bank', 'GTBINGLA'],
    ['070', 'Fidelity Bank', 'FIDTNGLA'],
    ['076', 'Polaris Bank', 'PRDTNGLA'],
    ['082', 'Keystone Bank', 'PLNINGLA'],
    ['214', 'First City Monument Bank', 'FCMBNGLA'],
    ['215', 'Unity Bank', 'ICITNGLA'],
    ['221', 'Stanbic IBTC Bank', 'SBICNGLX'],
    ['232', 'Sterling Bank', 'NAMENGLA'],
    ['301', 'Jaiz Bank', 'JAIZNGLA'],
    ['50211', 'Kuda'],
    ['50515', 'Moniepoint'],
    ['999992', 'OPay'],
  ],
  GH: [
    ['030100', 'Absa Bank Ghana', 'BARCGHAC'],
    ['040100', 'GCB Bank', 'GHCBGHAC', '040101 Accra Main, 040102 Kumasi'],
    ['130100', 'Ecobank Ghana', 'ECOCGHAC'],
    ['240100', 'Fidelity Bank Ghana', 'FBLIGHAC'],
  ],
  RW: [
    ['040', 'Bank of Kigali', 'BKIGRWRW'],
    ['010', 'I&M Bank Rwanda', 'IMRWRWRW'],
    ['192', 'Equity Bank Rwanda', 'EQBLRWRW'],
  ],
  ZM: [
    ['001', 'Zanaco', 'ZNCOZMLU', '001001 Lusaka Main, 001002 Ndola'],
    ['002', 'Absa Bank Zambia', 'BARCZMLX'],
    ['004', 'Stanbic Bank Zambia', 'SBICZMLX'],
  ],
  CI: [
    ['CI008', 'Société Générale Côte d’Ivoire', 'SGCICIAB'],
    ['CI032', 'NSIA Banque', 'BIAOCIAB'],
    ['CI059', 'Ecobank Côte d’Ivoire', 'ECOCCIAB'],
  ],
  SN: [
    ['SN010', 'CBAO', 'CBAOSNDA'],
    ['SN011', 'Société Générale Sénégal', 'SGSNSNDA'],
    ['SN094', 'Ecobank Sénégal', 'ECOCSNDA'],
  ],
  CM: [
    ['10005', 'Afriland First Bank', 'CCEICMCX'],
    ['10029', 'Ecobank Cameroun', 'ECOCCMCX'],
    ['10002', 'Standard Chartered Cameroun', 'SCBLCMCX'],
  ],
  MW: [
    ['NBM', 'National Bank of Malawi', 'NBMAMWMW'],
    ['STD', 'Standard Bank Malawi', 'SBICMWMX'],
    ['FDH', 'FDH Bank', 'FDHFMWMW'],
  ],
  BW: [
    ['28', 'First National Bank Botswana', 'FIRNBWGX', '281467 Gaborone Main, 282467 Francistown'],
    ['29', 'Absa Bank Botswana', 'BARCBWGX'],
    ['06', 'Stanbic Bank Botswana', 'SBICBWGX'],
  ],
  ZA: [
    ['051001', 'Standard Bank', 'SBZAZAJJ', '051001 Universal'],
    ['250655', 'First National Bank', 'FIRNZAJJ', '250655 Universal'],
    ['470010', 'Capitec Bank', 'CABLZAJJ', '470010 Universal'],
    ['632005', 'Absa Bank', 'ABSAZAJJ', '632005 Universal'],
    ['198765', 'Nedbank', 'NEDSZAJJ', '198765 Universal'],
  ],
  US: [
    ['021000021', 'JPMorgan Chase', 'CHASUS33'],
    ['026009593', 'Bank of America', 'BOFAUS3N'],
    ['121000248', 'Wells Fargo', 'WFBIUS6S'],
  ],
};

/** Ids count up in the order of the table: appending keeps the earlier ones. */
export const banks: readonly Bank[] = Object.entries(lines).flatMap(([country, countryLines], countryIndex) =>
  countryLines.map(([code, name, swift, branches], bankIndex) => ({
    id: (countryIndex + 1) * 100 + bankIndex + 1,
    country,
    code,
    name,
    swift,
    branches: (branches?.split(', ') ?? []).map(branchFrom),
  })),
);

function branchFrom(text: string): Branch {
  const [code = '', ...name] = text.split(' ');
  return { code, name: name.join(' ') };
}

const byCountry = new Map(
  Object.keys(lines).map((country) => [country, banks.filter((bank) => bank.country === country)]),
);

export function banksIn(country: string): readonly Bank[] {
  return byCountry.get(country) ?? [];
}

export function findBank(country: string, code: string): Bank | undefined {
  return banksIn(country).find((bank) => bank.code === code);
}
