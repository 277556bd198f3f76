import type { Database } from 'better-sqlite3';
import type { ErrorCode } from '../../service/contract/error-codes.ts';
import { seededRandom } from '../faults/seeded-random.ts';
import { fateOf } from '../faults/test-numbers.ts';

/** A number that belongs to somebody. A bank account is known by its bank as well; a phone has none. */
export interface Rail {
  readonly number: string;
  readonly bankCode: string | undefined;
}

type ResolvedName = { readonly name: string } | { readonly code: ErrorCode };

/**
 * The directory of people. A number answers with the name it was enrolled under, else with the name of a stored
 * external account, else with a made-up person who is always the same for that number.
 */
export function createDirectory(db: Database) {
  const enrolled = db.prepare<[string], { name: string }>('SELECT name FROM people WHERE rail = ?');
  const stored = db.prepare<[string, string], { account_name: string }>(
    `SELECT account_name FROM external_accounts WHERE number = ? AND owner_code = ? ORDER BY seq DESC LIMIT 1`,
  );
  const enrol = db.prepare<[string, string]>(
    'INSERT INTO people (rail, name) VALUES (?, ?) ON CONFLICT (rail) DO UPDATE SET name = excluded.name',
  );

  function holderOf(rail: Rail): string {
    const known =
      enrolled.get(railKey(rail))?.name ?? stored.get(rail.number, rail.bankCode ?? '')?.account_name;
    return known ?? madeUpPerson(railKey(rail));
  }

  return {
    enrol: (rail: Rail, name: string) => void enrol.run(railKey(rail), name),
    resolve(rail: Rail): ResolvedName {
      const fate = fateOf(rail.number);
      if (fate === 'no-account') return { code: 'E-CH-PY.S-37' };
      if (fate === 'name-unsupported') return { code: 'E-CH-PY.S-38' };
      if (fate === 'name-ok') return { name: 'OK' };
      if (fate === 'name-empty') return { name: '' };
      const holder = holderOf(rail);
      if (fate === 'name-exact') return { name: holder };
      if (fate === 'name-reordered') return { name: reordered(holder) };
      if (fate === 'name-near') return { name: oneLetterOff(holder) };
      if (fate === 'name-other') return { name: somebodyElse(holder, railKey(rail)) };
      return { name: holder.toUpperCase() };
    },
  };
}

export type Directory = ReturnType<typeof createDirectory>;

function railKey({ number, bankCode }: Rail): string {
  return bankCode === undefined ? `momo:${number}` : `bank:${bankCode}:${number}`;
}

const firstNames =
  'Achieng Amina Atieno Ayesha Baraka Brian Chinedu Daniel Esther Fatuma Grace Halima Hassan Ibrahim James Joyce Juma Kamau Kwame Lydia Mariam Mary Mercy Moses Mwangi Ngozi Njeri Nneka Omondi Peter Rehema Samuel Sarah Tendai Wanjiku Yusuf Zainab'.split(
    ' ',
  );
const lastNames =
  'Abdi Adeyemi Asante Banda Barasa Chebet Chukwu Diallo Juma Kagame Kiplagat Kimani Mensah Mohamed Mukasa Mutua Mwale Nakato Ndiaye Ngugi Nyambura Ochieng Odhiambo Okafor Okello Okonkwo Otieno Phiri Sesay Tembo Traore Wafula Wambui Wekesa Zulu'.split(
    ' ',
  );

function madeUpPerson(key: string): string {
  return `${pick(firstNames, `first:${key}`)} ${pick(lastNames, `last:${key}`)}`;
}

function pick(names: readonly string[], key: string): string {
  return names[Math.floor(seededRandom(key) * names.length)] ?? '';
}

function reordered(name: string): string {
  const words = name.toUpperCase().split(/\s+/);
  return [...words.slice(-1), ...words.slice(0, -1)].join(' ');
}

/** Changes one letter inside the longest word, never its first: a slip of the pen, not another person. */
function oneLetterOff(name: string): string {
  const words = name.toUpperCase().split(/\s+/);
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  const middle = Math.max(1, Math.floor(longest.length / 2));
  const letter = longest[middle] === 'A' ? 'E' : 'A';
  const changed = longest.slice(0, middle) + letter + longest.slice(middle + 1);
  return words.with(words.indexOf(longest), changed).join(' ');
}

function somebodyElse(name: string, key: string): string {
  const words = new Set(name.toUpperCase().split(/\s+/));
  for (let salt = 0; ; salt += 1) {
    const other = madeUpPerson(`${key}:other:${salt}`).toUpperCase();
    if (!other.split(' ').some((word) => words.has(word))) return other;
  }
}
