import { currencies } from '../reference-data/countries.ts';

/** The currencies that a code, sign or word can stand for: `Ksh.` is one, `Shs`, `CFA` and `K` are several. */
export function currenciesOfMark(text: string): readonly string[] {
  return byMark.get(foldMark(text)) ?? [];
}

/** In front of a number `K` is kwacha, behind it `k` is thousands; francs alone stand behind. */
export function isMarkInPlace(text: string, place: 'before' | 'behind'): boolean {
  const mark = foldMark(text);
  return !/^[a-z]$/.test(mark) || (mark === 'f') === (place === 'behind');
}

function foldMark(text: string): string {
  return text.toLowerCase().replace(/[. ]/g, '');
}

const otherMarks: Readonly<Record<string, readonly string[]>> = {
  KES: ['kshs', 'sh', 'shs', 'kenya shillings', 'kenyan shillings'],
  UGX: ['ushs', 'ugsh', 'sh', 'shs', 'uganda shillings', 'ugandan shillings'],
  TZS: ['tshs', 'sh', 'shs', 'tanzania shillings', 'tanzanian shillings'],
  NGN: ['n', 'naira'],
  GHS: ['gh¢', '₵', 'ghc', 'cedi', 'cedis'],
  RWF: ['rf'],
  ZMW: ['k', 'kwacha'],
  XOF: ['f', 'fcfa'],
  XAF: ['f', 'cfa'],
  MWK: ['k', 'kwacha'],
  BWP: ['pula'],
  ZAR: ['rand'],
  USD: ['us$', 'dollar', 'dollars', 'us dollars'],
};

const byMark = new Map<string, readonly string[]>();
for (const { code, symbol } of currencies) {
  for (const mark of [code, symbol, ...(otherMarks[code] ?? [])].map(foldMark)) {
    byMark.set(mark, [...(byMark.get(mark) ?? []), code]);
  }
}
