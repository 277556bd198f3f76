import type { Cell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';

const longestNarration = 140;

/** A note never keeps anybody from being paid: what cannot be used of it is left out, and said. */
export function parseNarration(cell: Cell, findings: RowFindings): string | undefined {
  if (cell.text === '') return undefined;
  if (cell.control || /^#(?:#+|[A-Z/0]+[!?]|N\/A)$/.test(cell.text)) {
    return findings.problem(
      'narration-unreadable',
      cell,
      'The narration cannot be read; the payment goes out without one. Type it again if it matters.',
    );
  }
  const characters = Array.from(cell.text);
  if (characters.length <= longestNarration) return cell.text;
  findings.problem(
    'narration-too-long',
    cell,
    `The narration has more than ${longestNarration} characters and is cut to that length. Shorten it if the end matters.`,
  );
  return characters.slice(0, longestNarration).join('').trimEnd();
}
