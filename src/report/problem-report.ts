import type { Repair } from '../domain/problem.ts';
import { readableText } from '../domain/readable-text.ts';
import type { ProblemGroup } from '../journal/draft-questions.ts';

/** Problems for a person: one paragraph a kind, warnings first, the worst last, next to the verdict. */
export function problemReport(
  groups: readonly ProblemGroup[],
  repairs: readonly Repair[],
  repairCount: number,
): string {
  const parts: string[] = [];
  if (repairs.length > 0) {
    const shown = repairs.map(({ line, message }) => `  line ${line}: ${message}`);
    const more = repairCount > repairs.length ? [`  and ${repairCount - repairs.length} more`] : [];
    parts.push(
      [`Repaired, because only one answer was possible (${repairCount}):`, ...shown, ...more].join('\n'),
    );
  }
  const warnings = groups.filter((group) => !group.blocking);
  const blocking = groups.filter((group) => group.blocking);
  if (warnings.length > 0)
    parts.push(['Warnings (they do not stop a payment):', ...warnings.map(showGroup)].join('\n'));
  if (blocking.length > 0)
    parts.push(['To be mended before anything is paid:', ...blocking.map(showGroup)].join('\n'));
  return parts.join('\n\n');
}

function showGroup(group: ProblemGroup): string {
  const where = group.column === null ? '' : ` in ${readableText(group.column)}`;
  if (group.firstLines[0] === 0) return `  the file: ${group.code}${where}\n    ${group.message}`;
  const rows = group.rows === 1 ? '1 row' : `${group.rows} rows`;
  const lines = `line${group.rows === 1 ? '' : 's'} ${group.firstLines.join(', ')}${group.rows > group.firstLines.length ? ' …' : ''}`;
  return `  ${rows}: ${group.code}${where}, ${lines}\n    ${group.message}`;
}
