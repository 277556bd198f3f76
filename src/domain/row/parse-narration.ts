import type { Cell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';

/** What of it is journaled, and compared when the row comes again. */
const longestNarration = 140;

/**
 * A note never keeps anybody from being paid. The service takes none: it is for the people who pay, and stands whole in
 * the results, where all cells are as they came.
 */
export function parseNarration(cell: Cell, findings: RowFindings): string | undefined {
  if (cell.text === '') return undefined;
  if (cell.control || /^#(?:#+|[A-Z/0]+[!?]|N\/A)$/.test(cell.text)) {
    return findings.problem(
      'narration-unreadable',
      cell,
      'The narration cannot be read. The payment does not depend on it; type it again if it matters in the results.',
    );
  }
  const characters = Array.from(cell.text);
  if (characters.length <= longestNarration) return cell.text;
  findings.problem(
    'narration-too-long',
    cell,
    `The narration has more than ${longestNarration} characters. It stays whole in the results; only a change within the first ${longestNarration} counts as a change of the row.`,
  );
  return characters.slice(0, longestNarration).join('').trimEnd();
}
