import type { VirtualTime } from './virtual-time.ts';

/** What goes wrong with one exchange, drawn when it begins. `processed`: the service does it all the same. */
export type Fault =
  | { readonly kind: 'none' | 'slow' }
  | { readonly kind: 'no-connection'; readonly code: string }
  | { readonly kind: 'never-sent' }
  | {
      readonly kind: 'request-lost' | 'reply-lost' | 'lands-late' | 'stuck' | 'burnt';
      readonly resets: boolean;
    }
  | { readonly kind: 'wrong-status'; readonly status: number; readonly processed: boolean }
  | { readonly kind: 'unauthorised' | 'lying-401' | 'lying-429' | 'lying-refusal' }
  | { readonly kind: 'too-many'; readonly retryAfter: 'seconds' | 'date' | 'none' }
  | { readonly kind: 'html' | 'half-json' | 'cut-off' | 'half-in-time'; readonly processed: boolean }
  | { readonly kind: 'no-code'; readonly processed: boolean }
  | { readonly kind: 'no-transaction-id' | 'refusal-with-id' | 'duplicate' }
  | { readonly kind: 'sibling'; readonly resets: boolean };

export type FaultKind = Fault['kind'];

export interface Weather {
  /** `isProven`: whether the process has seen how long a look-up takes to show a payout. */
  draw(isPayout: boolean, isProven: () => boolean): Fault;
  /** From now on nothing goes wrong any more. */
  clearUp(): void;
  isClear(): boolean;
  readonly outlook: string;
}

export interface WeatherOptions {
  readonly time: VirtualTime;
  readonly chance: () => number;
  /** Faults that only make sense where a used reference is refused. */
  readonly dedupe: boolean;
  /** An answer that lies is found out only where a look-up shows everything at once … */
  readonly listsAtOnce: boolean;
  /** … or, where it asks for another send, after a time that was seen before and is always the same. */
  readonly lagIsSteady: boolean;
  /** How many payouts get such an answer, besides the other faults. */
  readonly lying: number;
  /** How many payouts the service does twice by itself, while their replies are lost. */
  readonly doubling: number;
  /** For what few seeds have. */
  readonly oddChance: () => number;
  readonly ignoreFilter: (ignored: boolean) => void;
  readonly revokeTokens: () => void;
}

const everywhere: readonly FaultKind[] = [
  'slow',
  'no-connection',
  'never-sent',
  'request-lost',
  'reply-lost',
  'lands-late',
  'wrong-status',
  'unauthorised',
  'too-many',
  'html',
  'half-json',
  'cut-off',
  'half-in-time',
  'no-code',
];
const ofPayouts: readonly FaultKind[] = [
  'request-lost',
  'reply-lost',
  'lands-late',
  'lands-late',
  'stuck',
  'stuck',
  'wrong-status',
  'no-transaction-id',
  'refusal-with-id',
];
type Episode = 'down' | 'unauthorised' | 'too-many' | 'filter-ignored' | 'slow';
const episodes: readonly Episode[] = ['down', 'unauthorised', 'too-many', 'filter-ignored', 'slow'];
const lyingAnswers: readonly FaultKind[] = ['lying-401', 'lying-429'];
const calm: Fault = { kind: 'none' };

/** A random mix of faults for one seed: some kinds of them, how often each, and spells in which one thing fails for all. */
export function createWeather(options: WeatherOptions): Weather {
  const { time, chance, dedupe, listsAtOnce, lagIsSteady, lying, doubling, oddChance } = options;
  const pick = <Value>(from: readonly Value[]): Value => from[Math.floor(chance() * from.length)] as Value;
  const some = (kinds: readonly FaultKind[]) => kinds.filter(() => chance() < 0.45);
  const common = some(everywhere);
  const usual = some([
    ...ofPayouts,
    ...(dedupe ? (['burnt', 'duplicate', 'duplicate'] as const) : []),
    ...(listsAtOnce ? (['lying-401', 'lying-429', 'lying-refusal'] as const) : []),
  ]);
  const lyingLate = !listsAtOnce && lagIsSteady ? lyingAnswers : [];
  const special: readonly FaultKind[] = [...usual, ...lyingLate];
  const rate = pick([0, 0.02, 0.06, 0.15, 0.3]);
  const payoutRate = pick([0, 0.3, 0.5, 0.7]);
  const spells = episodes.filter(() => chance() < 0.25);
  const spellRate = spells.length === 0 ? 0 : 0.02;
  let spell: Episode | undefined;
  let clear = false;

  const endSpell = () => {
    spell = undefined;
    options.ignoreFilter(false);
  };
  const beginSpell = () => {
    spell = pick(spells);
    if (spell === 'filter-ignored') options.ignoreFilter(true);
    time.after(chance() < 0.7 ? chance() * 60_000 : chance() * 1_800_000, endSpell);
  };

  const ofSpell = (): Fault | undefined => {
    switch (spell) {
      case 'down':
        return chance() < 0.5
          ? make('no-connection')
          : { kind: 'wrong-status', status: 503, processed: false };
      case 'unauthorised':
        return chance() < 0.6 ? make('unauthorised') : undefined;
      case 'too-many':
        return chance() < 0.8 ? make('too-many') : undefined;
      case 'slow':
        return make('slow');
      case 'filter-ignored':
      case undefined:
        return undefined;
    }
  };

  const make = (kind: FaultKind): Fault => {
    const even = chance() < 0.5;
    switch (kind) {
      case 'no-connection':
        return { kind, code: pick(['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'CERT_HAS_EXPIRED']) };
      case 'request-lost':
      case 'reply-lost':
      case 'lands-late':
      case 'stuck':
      case 'burnt':
      case 'sibling':
        return { kind, resets: even };
      case 'wrong-status':
        return { kind, status: pick([500, 502, 503, 504, 408, 302]), processed: even };
      case 'too-many':
        return { kind, retryAfter: pick(['seconds', 'date', 'none']) };
      case 'html':
      case 'half-json':
      case 'cut-off':
      case 'half-in-time':
      case 'no-code':
        return { kind, processed: even };
      case 'unauthorised':
        options.revokeTokens();
        return { kind };
      default:
        return { kind };
    }
  };

  return {
    draw(isPayout, isProven) {
      if (clear) return calm;
      if (spell === undefined && chance() < spellRate) beginSpell();
      const during = ofSpell();
      if (during) return during;
      if (isPayout && doubling > 0 && oddChance() < doubling)
        return { kind: 'sibling', resets: oddChance() < 0.5 };
      if (isPayout && lying > 0 && oddChance() < lying && isProven())
        return { kind: oddChance() < 0.5 ? 'lying-401' : 'lying-429' };
      if (isPayout && special.length > 0 && chance() < payoutRate) {
        const drawn = make(pick(special));
        return lyingLate.includes(drawn.kind) && !isProven() ? calm : drawn;
      }
      if (common.length > 0 && chance() < rate) return make(pick(common));
      return calm;
    },
    clearUp() {
      clear = true;
      endSpell();
    },
    isClear: () => clear,
    outlook: `faults ${rate} of ${common.join(' ') || 'none'}; payouts ${payoutRate} of ${special.join(' ') || 'none'}; spells ${spells.join(' ') || 'none'}`,
  };
}
