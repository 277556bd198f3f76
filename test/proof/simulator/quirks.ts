import { seededChance } from '../../support/chance.ts';
import type { ServiceHabits } from './model-service.ts';

/** What only some seeds have, each drawn from chances of its own: it changes nothing in the histories of the others. */
export interface Quirks {
  readonly habits: Pick<
    ServiceHabits,
    'lagIsSteady' | 'contradicting' | 'echoes' | 'cuts' | 'rewords' | 'showsCode' | 'listsLack'
  >;
  /** How many payouts the service does twice by itself, while their replies are lost. */
  readonly doubling: number;
  /** How many payouts are answered with 401 or 429 though they were carried out, while look-ups lag steadily. */
  readonly lying: number;
  /** Rows name an operator or a branch, and people correct it. */
  readonly namesOperators: boolean;
  /** Somebody takes the keys of another account of the same e-mail. */
  readonly mixesKeys: boolean;
  /** The account gets another e-mail or another public key. */
  readonly isRenamed: boolean;
  /** A file for a batch that the journal does not know names attempts that nobody made. */
  readonly forges: boolean;
}

export function quirksOf(seed: number): Quirks {
  const chance = seededChance(seed * 19 + 11);
  const sometimes = () => chance() < 0.14;
  const isSteady = chance() < 0.5;
  const lying = seededChance(seed * 53 + 31)() < 0.1 ? 0.3 : 0;
  return {
    lying,
    habits: {
      lagIsSteady: isSteady || lying > 0,
      contradicting: sometimes() ? 0.3 + 0.7 * chance() : 0,
      echoes: sometimes(),
      cuts: sometimes(),
      rewords: sometimes(),
      showsCode: chance() < 0.5,
      listsLack: seededChance(seed * 61 + 37)() < 0.14 ? 0.4 : 0,
    },
    doubling: sometimes() ? 0.35 : 0,
    namesOperators: sometimes(),
    mixesKeys: sometimes(),
    isRenamed: sometimes(),
    forges: sometimes(),
  };
}
