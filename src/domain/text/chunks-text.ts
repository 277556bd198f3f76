/** Parts of a batch, for a person: `chunk 3`, `chunks 3, 4 and 7`. */
export function chunksText(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((one, other) => one - other);
  const last = sorted.pop();
  return sorted.length === 0 ? `chunk ${last}` : `chunks ${sorted.join(', ')} and ${last}`;
}
