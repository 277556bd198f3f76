import { batchProblems } from '../domain/problems/batch-problems.ts';
import type { Repair } from '../domain/problems/problem.ts';
import { problemKinds, spoilsFile } from '../domain/problems/problem-kinds.ts';
import { counted } from '../domain/text/counted.ts';
import { grouped } from '../domain/text/grouped.ts';
import { readableText } from '../domain/text/readable-text.ts';
import type { DraftQueries, ProblemGroup } from '../journal/draft/draft-queries.ts';

const repairsShown = 20;
const groupsShown = 60;
const linesShown = 20;
const examplesShown = 3;

/**
 * Problems for a person: one paragraph a kind, warnings first and what spoils the whole file last, next to the verdict.
 * Between them the kinds with few rows come first, in the order of the lines.
 */
export function problemReport(questions: DraftQueries, areSkipped = false): string {
  const groups = [...questions.problemGroups()].sort(
    (one, other) => one.rows - other.rows || firstLine(one) - firstLine(other),
  );
  const warnings = groups.filter((group) => !group.blocking);
  const blocking = [
    ...groups.filter((group) => group.blocking && !spoilsFile(group.code)),
    ...groups.filter((group) => spoilsFile(group.code)),
  ];
  const parts = [
    repairsPart(questions),
    groupsPart('Warnings (they stop no payment):', warnings),
    groupsPart(areSkipped ? 'Left out of this run:' : 'To be corrected before anything is paid:', blocking),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function repairsPart(questions: DraftQueries): string {
  const count = questions.repairCount();
  if (count === 0) return '';
  const first: Repair[] = [];
  for (const repair of questions.repairs()) {
    if (first.length === repairsShown) break;
    first.push(repair);
  }
  const lines = first.map(({ line, column, message }) => `  ${place(line, column)}${message}`);
  const more = count > first.length ? [`  and ${grouped(count - first.length)} more`] : [];
  return [`Repaired, because only one answer was possible (${count}):`, ...lines, ...more].join('\n');
}

/** The last are the worst, so where there are too many the first are left out. */
function groupsPart(title: string, groups: readonly ProblemGroup[]): string {
  if (groups.length === 0) return '';
  const shown = groups.slice(-groupsShown).map(showGroup);
  const left = groups.length - shown.length;
  const more =
    left > 0
      ? [`  and ${counted(left, 'more kind')} with fewer rows; --problems FILE.csv lists them all`]
      : [];
  return [title, ...shown, ...more].join('\n');
}

function showGroup({ code, column, rows, first }: ProblemGroup): string {
  const [example] = first;
  if (rows <= 1) return `  ${place(example?.line ?? 0, column)}${example?.message ?? ''} [${code}]`;
  const lines = [...new Set(first.map(({ line }) => line))].slice(0, linesShown);
  const where = column === undefined ? '' : `in ${readableText(column)}, `;
  const meaning = problemKinds.get(code)?.meaning ?? code;
  const head = `  ${grouped(rows)} rows: ${meaning} [${code}]`;
  const places = `    ${where}lines ${lines.join(', ')}${rows > lines.length ? ` and ${grouped(rows - lines.length)} more` : ''}`;
  return [head, places, ...examples(code, first)].join('\n');
}

/** One text for all rows is said once; where each row has its own, the first few stand for the rest. */
function examples(code: string, first: ProblemGroup['first']): string[] {
  const texts = new Set(first.map(({ message }) => message));
  if (texts.size === 1) return [`    ${first[0]?.message ?? ''}`];
  const shown = (code in batchProblems ? onePerGroup(first) : first).slice(0, examplesShown);
  return shown.map(({ line, message }) => `    line ${line}: ${message}`);
}

/** Rows that were found beside each other name each other: once is enough. */
function onePerGroup(first: ProblemGroup['first']): ProblemGroup['first'] {
  const said = new Set<string | null>();
  return first.filter(({ shared }) => {
    const isSaid = shared !== null && said.has(shared);
    said.add(shared);
    return !isSaid;
  });
}

function firstLine({ first }: ProblemGroup): number {
  return first[0]?.line ?? 0;
}

function place(line: number, column: string | undefined): string {
  if (line === 0) return '';
  return `line ${line}${column === undefined ? '' : `, ${readableText(column)}`}: `;
}
