/** Parts of a batch, for a person: `chunk 3, chunk 4 and chunk 7`. */
export function chunksText(numbers: readonly number[]): string {
  const names = numbers.toSorted((one, other) => one - other).map((number) => `chunk ${number}`);
  const last = names.pop();
  return names.length === 0 ? `${last}` : `${names.join(', ')} and ${last}`;
}
