/** What the file and the user say about its separators. */
export interface DecimalStyle {
  readonly delimiter: string;
  /** Some amount of the file shows beyond doubt that a comma parts its decimals. */
  readonly decimalCommaSeen: boolean;
  /** Some amount of the file shows beyond doubt that a point parts its decimals. */
  readonly decimalPointSeen: boolean;
  /** `--decimal`. */
  readonly decimal: 'point' | 'comma' | undefined;
}

export type DecimalReading =
  | { readonly kind: 'number'; readonly whole: string; readonly fraction: string }
  /** Two numbers are possible: with the separator as thousands, and as decimals. */
  | {
      readonly kind: 'ambiguous';
      readonly thousands: string;
      readonly decimals: string;
      /** False for `1000,000`: whoever means thousands has set the separator wrongly, and must write it anew. */
      readonly grouped: boolean;
    }
  /** The separators can be read in one way only, and `--decimal` says the other. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'grouping' }
  | { readonly kind: 'unreadable' };

/**
 * Reads digits with separators. Blanks and apostrophes only ever part thousands; of point and comma together the
 * last parts the decimals; one of them alone, before exactly three digits, is the case that nobody can decide
 * from the cell.
 */
export function readDecimal(text: string, style: DecimalStyle): DecimalReading {
  const split = splitDecimal(text);
  if (split.kind !== 'parts') return split;
  const { groups, separator, fraction, mark, certain } = split;
  const declared = style.decimal === undefined ? undefined : style.decimal === 'point' ? '.' : ',';
  if (certain) {
    if (declared !== undefined && (mark ?? declared) !== declared) return { kind: 'conflict' };
    if (declared !== undefined && separator === declared) return { kind: 'conflict' };
    if (!isGrouped(groups)) return { kind: 'grouping' };
    return { kind: 'number', whole: groups.join(''), fraction };
  }
  const whole = groups.join('');
  const grouped = isGrouped([whole, fraction]);
  // A comma parts thousands only where nothing in the file speaks for a decimal comma; a point never by itself.
  const byFile = mark === ',' && !speaksForDecimalComma(style);
  const asThousands = declared === undefined ? byFile : mark !== declared;
  if (asThousands && grouped) return { kind: 'number', whole: whole + fraction, fraction: '' };
  if (declared !== undefined) return asThousands ? { kind: 'grouping' } : { kind: 'number', whole, fraction };
  if (asThousands && whole.length <= longestGroup) return { kind: 'grouping' };
  if (mark === '.' && whole.length > longestGroup && !speaksForDecimalComma(style))
    return { kind: 'number', whole, fraction };
  return { kind: 'ambiguous', thousands: whole + fraction, decimals: `${whole}.${fraction}`, grouped };
}

/** Which character this number shows to part decimals, where it leaves no doubt. */
export function decimalMarkIn(text: string): 'point' | 'comma' | undefined {
  const split = splitDecimal(text);
  if (split.kind !== 'parts' || !split.certain || !isGrouped(split.groups)) return undefined;
  return split.mark === undefined ? undefined : split.mark === '.' ? 'point' : 'comma';
}

interface DecimalParts {
  readonly kind: 'parts';
  readonly groups: readonly string[];
  /** What parts the thousands. */
  readonly separator: string | undefined;
  readonly fraction: string;
  /** What parts, or may part, the decimals. */
  readonly mark: '.' | ',' | undefined;
  readonly certain: boolean;
}

function splitDecimal(text: string): DecimalParts | { readonly kind: 'unreadable' } {
  if (!digitsAndSeparators.test(text)) return { kind: 'unreadable' };
  const separators = text.replace(/\d/g, '').replace(/[’`´]/g, "'");
  const last = separators.at(-1);
  const whole = { kind: 'parts', separator: last, fraction: '', mark: undefined, certain: true } as const;
  if (last === undefined) return { ...whole, groups: [text] };
  const others = separators.slice(0, -1);
  const separator = others[0];
  if (separator !== undefined && Array.from(others).some((each) => each !== separator))
    return { kind: 'unreadable' };
  const pieces = text.split(anySeparator);
  if (separator === last || last === ' ' || last === "'") {
    if (separator !== undefined && separator !== last) return { kind: 'unreadable' };
    return { ...whole, groups: pieces };
  }
  const mark = last === '.' ? '.' : ',';
  const groups = pieces.slice(0, -1);
  const fraction = pieces.at(-1) ?? '';
  const [first = ''] = groups;
  if (first === '') {
    if (separator !== undefined) return { kind: 'unreadable' };
    return { kind: 'parts', groups: ['0'], separator, fraction, mark, certain: true };
  }
  // Three digits behind it are decimals or thousands. 1000,000 is no well-formed million, but no thousand for certain.
  const certain = separator !== undefined || fraction.length !== longestGroup || first === '0';
  return { kind: 'parts', groups, separator, fraction, mark, certain };
}

const longestGroup = 3;
const digitsAndSeparators = /^[.,]?\d+(?:[.,'’`´ ]\d+)*$/;
const anySeparator = /[.,'’`´ ]/;

/** Groups of three only. 1,00,000 is refused: as likely as an Indian hundred thousand is a million short of a zero. */
function isGrouped(groups: readonly string[]): boolean {
  const [first = '', ...others] = groups;
  if (others.length === 0) return true;
  return /^[1-9]\d{0,2}$/.test(first) && others.every((group) => group.length === 3);
}

function speaksForDecimalComma({ delimiter, decimalCommaSeen }: DecimalStyle): boolean {
  return delimiter === ';' || decimalCommaSeen;
}
