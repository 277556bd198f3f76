/** The candidate that a misspelt word most likely meant, or none: at most a third of its letters may differ. */
export function nearestText(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longestCompared) return undefined;
  const wanted = word.toLowerCase();
  let nearest: string | undefined;
  let fewestEdits = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= fewestEdits) continue;
    const edits = editsBetween(wanted, candidate.toLowerCase());
    if (edits < fewestEdits) {
      fewestEdits = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

/** The work grows with the square of the length, and no word of ours is longer. */
const longestCompared = 60;

function editsBetween(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[other.length] ?? 0;
}
