import { type Bank, banksIn } from '../reference-data/banks.ts';
import { countries } from '../reference-data/countries.ts';
import { once } from '../reference-data/once.ts';
import { foldText, foldWords } from '../text/fold-text.ts';
import { nearestText } from '../text/nearest-text.ts';
import { wordList } from '../text/word-list.ts';

/**
 * The bank that a name means in a country. Only a whole name counts, less such words as Bank, Limited and the
 * country's own name: `EQUITY` and `Equity Bank (Kenya) Ltd` are one, `Equity Trust` is nobody we know.
 */
export function bankByName(country: string, name: string): Bank | undefined {
  return banksByName().get(country)?.get(coreOf(country, name));
}

/** The bank that a misspelt name may have meant. */
export function nearestBank(country: string, name: string): Bank | undefined {
  const known = banksByName().get(country);
  const nearest = known && nearestText(coreOf(country, name), Array.from(known.keys()));
  return nearest === undefined ? undefined : known?.get(nearest);
}

/** The bank whose whole name stands somewhere in a longer text, such as a bank with its branch. */
export function containedBank(country: string, text: string): Bank | undefined {
  const words = foldWords(text).slice(0, mostWords);
  for (let length = words.length; length > 0; length -= 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const bank = bankByName(country, words.slice(start, start + length).join(' '));
      if (bank) return bank;
    }
  }
  return undefined;
}

const mostWords = 12;

const emptyWords = new Set(wordList('bank, banque, plc, ltd, limited, sa, nv, the, of, de, group'));
const countryWords = once(
  () =>
    new Map(
      countries.map((country) => [
        country.iso2,
        new Set([
          ...foldWords(country.name),
          country.iso2.toLowerCase(),
          ...(country.iso2 === 'CM' ? ['cameroun'] : []),
        ]),
      ]),
    ),
);

function coreOf(country: string, name: string): string {
  const core = foldWords(name).filter(
    (word) => !emptyWords.has(word) && !countryWords().get(country)?.has(word),
  );
  return core.length === 0 ? foldText(name) : core.join('');
}

/** Short and former names, as files carry them. */
const otherNames: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  KE: {
    '01': ['Kenya Commercial Bank', 'KCB Kenya', 'Commercial Bank'],
    '02': ['StanChart', 'Standard Chartered Bank', 'SCB'],
    '03': ['Barclays'],
    '11': ['Coop Bank', 'Cooperative'],
    '63': ['DTB'],
  },
  UG: { '05': ['Development Finance Company of Uganda'], '16': ['Centenary Rural Development'] },
  TZ: { '016': ['National Microfinance Bank'], '025': ['National Bank of Commerce'] },
  NG: {
    '011': ['FBN', 'FirstBank'],
    '033': ['UBA'],
    '050': ['Ecobank'],
    '058': ['GTB', 'GTBank', 'GTCO'],
    '214': ['FCMB'],
    '221': ['Stanbic'],
    '50211': ['Kuda Microfinance Bank', 'Kuda MFB'],
    '50515': ['Moniepoint Microfinance Bank', 'Moniepoint MFB'],
  },
  GH: { '030100': ['Barclays'], '040100': ['Ghana Commercial Bank'] },
  RW: { '040': ['BK'] },
  ZM: { '001': ['Zambia National Commercial Bank'], '002': ['Barclays'] },
  CI: { CI008: ['SGCI', 'SGBCI'], CI032: ['NSIA'] },
  SN: { SN010: ['CBAO Attijariwafa'], SN011: ['SGBS', 'SGSN'] },
  CM: { '10005': ['Afriland'] },
  MW: { NBM: ['NBM Bank'] },
  BW: { '28': ['FNB'], '29': ['Barclays'] },
  ZA: { '250655': ['FNB'], '470010': ['Capitec'] },
  US: { '021000021': ['Chase', 'JP Morgan Chase', 'JPMorgan'], '026009593': ['BofA'] },
};

const banksByName = once(() => new Map(countries.map(({ iso2 }) => [iso2, namesOf(banksIn(iso2))])));

/** A name that two banks of one country share names neither. */
function namesOf(countryBanks: readonly Bank[]): ReadonlyMap<string, Bank> {
  const names = new Map<string, Bank>();
  const shared = new Set<string>();
  for (const bank of countryBanks) {
    const swift = bank.swift === undefined ? [] : [bank.swift, `${bank.swift}XXX`];
    for (const name of [bank.name, ...swift, ...(otherNames[bank.country]?.[bank.code] ?? [])]) {
      const core = coreOf(bank.country, name);
      if (names.has(core) && names.get(core) !== bank) shared.add(core);
      names.set(core, bank);
    }
  }
  for (const core of shared) names.delete(core);
  return names;
}
