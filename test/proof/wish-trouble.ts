export interface Wishes {
  readonly seed: unknown;
  readonly share: unknown;
  /** Of campaigns; none are all of them. */
  readonly names: readonly string[];
}

/** What a soak cannot do, in one line: with half of a wish it would report success for less than was asked for. */
export function wishTrouble({ seed, share, names }: Wishes, known: readonly string[]): string | undefined {
  if (!(typeof share === 'number' && share > 0 && share <= 1))
    return '--share takes one number above 0 and at most 1.';
  if (!Number.isSafeInteger(seed)) return '--seed takes one whole number.';
  const strange = names.filter((name) => !known.includes(name));
  if (strange.length === 0) return undefined;
  return `There is no campaign ${strange.map((name) => JSON.stringify(name)).join(', ')}. There are these: ${known.join(', ')}.`;
}
