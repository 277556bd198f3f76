/**
 * The words of names that say little about who somebody is. The lists hold no word that is also a common given name
 * or surname where payrun pays (Prince, Justice, Nana, Haji, Cheikh, Dame): leaving out a name would make two
 * people one.
 */
export const nameWords = {
  isTitle: (word: string): boolean => titles.has(word),
  /** A title only in front of two words or more; anywhere else the same letters are somebody's name. */
  isTitleInFront: (word: string): boolean => titlesInFront.has(word),
  isParticle: (word: string): boolean => particles.has(word),
  /** Also a given name (Ben Kamau): a particle only between two other words. */
  isGivenNameToo: (word: string): boolean => word === 'ben',
  isGeneration: (word: string): boolean => generations.has(word),
  isLegalForm: (word: string): boolean => legalForms.has(word),
  isConnective: (word: string): boolean => connectives.has(word),
  /** What stands behind "and" in a firm's name, and is nobody. */
  isFirmPart: (word: string): boolean => firmParts.has(word) || legalForms.has(word),
  /** Tells a firm from people. It is part of the firm's name, so it counts as proof, which a legal form does not. */
  isTrade: (word: string): boolean => trades.has(word),
  /** One spelling for what is written in several: Limited and Ltd are the same word. */
  oneSpelling: (word: string): string => spellings.get(word) ?? word,
} as const;

/** Not the lone M of Monsieur: it cannot be told from an initial, and M. Kamau Njoroge is not Peter Kamau Njoroge. */
const titles = setOf(`
  mr mrs ms miss mx mister mistress madam madame mme mlle mademoiselle monsieur messrs sir
  dr dre doctor docteur prof professor professeur eng engr engineer ing arch architect surv pharm
  adv advocate barr barrister hon honourable honorable senator rt
  rev revd reverend ven fr father pastor bishop archbishop canon deacon deaconess evang evangelist apostle
  bro brother sis sister sr elder
  alhaji alhaja alhaj alhajj alhajji hajia hajiya sheikh sheik mallam malam ustadh ustaz chief otunba
  bw bwana ndg ndugu mzee mwl mwalimu mhe mheshimiwa dkt daktari mch mchungaji
  hajjat hajat pst dcn cllr councillor amb ambassador comr comrade arc esv tpl hrh hrm
  mnr mev mnu nkk nksz rre maitre pasteur mgr monseigneur col colonel brig capt captain lt sgt sergeant cpl corporal insp inspector supt pte
`);

/** Bi Fatuma Ali is Mrs Fatuma Ali, but Tra Bi Jean, Oba Femi and Femi Oba have a name in them. */
const titlesInFront = setOf('bi bibi oba shehe mwami togbe osofo opanyin hadja');

/** With the words that only open a compound name: Abdul Rahman and Abu Bakar are one name each, not two. */
const particles = setOf(`
  bin binti bint ibn ben wa ole arap ould wuld weld mint ag ait
  de da do dos das du des del della di la le van der den von ter te
  el al ul ad as ar an abd abdul abdel abdal abdoul abu abou mc mac
`);

const generations = setOf('jr sr ii iii iv');

/** Legal forms only: Enterprises, Traders or Advocates are part of what a firm is called. */
const legalForms = setOf(`
  ltd plc inc llc llp lp co corp pty pvt pte cc npc ngo cbo
  sarl sarlu suarl surl sa sas sasu eurl snc gie scs cie ets
  gmbh ag kg bv nv sprl srl spa lda ltda
`);

const connectives = setOf('and or et ou dba');

const firmParts = setOf(
  'sons son daughters brothers bros sisters associates partners family freres fils filles others',
);

const trades = setOf(`
  advocates associates partners enterprise enterprises traders trading stores store shop supermarket services
  supplies suppliers investments holdings group agency agencies consultants consulting contractors construction
  logistics transport motors garage hardware pharmacy chemist clinic hospital school academy college university church
  ministries foundation trust sacco cooperative society bank hotel restaurant farm farms foods bakery
  solutions systems technologies international ventures industries works
`);

const spellings = mapOf(`
  limited:ltd company:co incorporated:inc corporation:corp proprietary:pty private:pvt
  compagnie:cie etablissements:ets limitada:lda junior:jr senior:sr
`);

export function setOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** Of pairs such as `limited:ltd`. */
export function mapOf(pairs: string): ReadonlyMap<string, string> {
  return new Map(Array.from(setOf(pairs), (pair) => pair.split(':') as [string, string]));
}
