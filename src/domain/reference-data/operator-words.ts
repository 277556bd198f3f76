import { foldText } from '../text/fold-text.ts';
import { type Country, countries } from './countries.ts';
import { once } from './once.ts';

/** The operator that a word names in a country, if it names one. */
export function operatorFrom(text: string, country: Country): string | undefined {
  return operatorsByWord().get(country.iso2)?.get(foldText(text));
}

/** Whether a word names an operator anywhere: then it says mobile money, wherever the row is. */
export function isOperatorWord(text: string): boolean {
  return operatorWords().has(foldText(text));
}

/** Former and company names, as files still carry them. */
const otherWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  KE: { mpesa: 'Safaricom, Safaricom M-PESA', airtel: 'Airtel Kenya', tkash: 'Telkom, Telkom Kenya' },
  UG: { mtn: 'MTN Uganda', airtel: 'Airtel Uganda' },
  TZ: {
    mpesa: 'Vodacom, Vodacom M-Pesa, Vodacom Tanzania',
    airtel: 'Airtel Tanzania',
    mixx: 'Mixx, Yas, Tigo, Tigo Pesa',
    halopesa: 'Halotel, Viettel',
  },
  GH: {
    mtn: 'MTN Ghana',
    telecel: 'Telecel, Vodafone, Vodafone Cash, Voda',
    at: 'AirtelTigo, AirtelTigo Money, Airtel Tigo, Tigo, Airtel',
  },
  RW: { mtn: 'MTN Rwanda', airtel: 'Airtel Rwanda, Tigo' },
  ZM: { mtn: 'MTN Zambia', airtel: 'Airtel Zambia', zamtel: 'Zamtel Kwacha, Zamtel Money' },
  CI: { orange: 'Orange CI', mtn: 'MTN CI', moov: 'Moov Africa, Flooz' },
  SN: {
    orange: 'Orange Senegal, Sonatel',
    yas: 'Free, Free Money, Tigo, Mixx, Mixx by Yas',
    expresso: 'E-Money',
  },
  CM: { mtn: 'MTN Cameroon', orange: 'Orange Cameroun, Orange Cameroon' },
  MW: { tnm: 'TNM, Mpamba' },
  BW: { orange: 'Orange', myzaka: 'Mascom, Mascom MyZaka', smega: 'beMobile, BTC Smega', ott: 'OTT' },
};

const operatorsByWord = once(
  () =>
    new Map(
      countries.map((country) => [
        country.iso2,
        new Map(
          country.operators.flatMap(({ id, name }) =>
            [id, name, ...(otherWords[country.iso2]?.[id]?.split(', ') ?? [])]
              .flatMap((word) => [word, `${word} Money`, `${word} Mobile Money`, `${word} MoMo`])
              .map((word) => [foldText(word), id] as const),
          ),
        ),
      ]),
    ),
);

const operatorWords = once(
  () => new Set(Array.from(operatorsByWord().values()).flatMap((words) => Array.from(words.keys()))),
);
