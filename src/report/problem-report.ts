import type { Repair } from '../domain/problems/problem.ts';
import { problemKinds, spoilsFile } from '../domain/problems/problem-kinds.ts';
import { readableText } from '../domain/text/readable-text.ts';
import type { DraftQuestions, ProblemGroup } from '../journal/draft-questions.ts';
import { counted } from './counted.ts';

const repairsShown = 20;
const groupsShown = 50;
const examplesShown = 3;

/** Problems for a person: one paragraph a kind, warnings first, the worst last, next to the verdict. */
export function problemReport(questions: DraftQuestions): string {
  const groups = questions.problemGroups();
  const warnings = groups.filter((group) => !group.blocking);
  const blocking = [
    ...groups.filter((group) => group.blocking && !spoilsFile(group.code)),
    ...groups.filter((group) => spoilsFile(group.code)),
  ];
  const parts = [
    repairsPart(questions),
    groupsPart('Warnings (they stop no payment):', warnings),
    groupsPart('To be mended before anything is paid:', blocking),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function repairsPart(questions: DraftQuestions): string {
  const count = questions.repairCount();
  if (count === 0) return '';
  const first: Repair[] = [];
  for (const repair of questions.repairs()) {
    if (first.length === repairsShown) break;
    first.push(repair);
  }
  const lines = first.map(({ line, column, message }) => `  ${place(line, column)}${message}`);
  const more = count > first.length ? [`  and ${count - first.length} more`] : [];
  return [`Repaired, because only one answer was possible (${count}):`, ...lines, ...more].join('\n');
}

/** The last are the worst, so where there are too many the first are left out. */
function groupsPart(title: string, groups: readonly ProblemGroup[]): string {
  if (groups.length === 0) return '';
  const shown = groups.slice(-groupsShown).map(showGroup);
  const left = groups.length - shown.length;
  const more =
    left > 0 ? [`  (${counted(left, 'more kind', 'more kinds')}; --problems FILE.csv has them all)`] : [];
  return [title, ...more, ...shown].join('\n');
}

function showGroup({ code, column, rows, first }: ProblemGroup): string {
  const [example] = first;
  if (rows <= 1) return `  ${place(example?.line ?? 0, column)}${example?.message ?? ''} [${code}]`;
  const lines = first.map(({ line }) => line).filter((line, index, all) => all.indexOf(line) === index);
  const where = column === undefined ? '' : `in ${readableText(column)}, `;
  const meaning = problemKinds.get(code)?.meaning ?? code;
  const head = `  ${rows} rows: ${meaning} [${code}]`;
  const places = `    ${where}lines ${lines.join(', ')}${rows > lines.length ? ' …' : ''}`;
  return [head, places, ...examples(first)].join('\n');
}

/** One text for all rows is said once; where each row has its own, the first few stand for the rest. */
function examples(first: ProblemGroup['first']): string[] {
  const texts = new Set(first.map(({ message }) => message));
  if (texts.size === 1) return [`    ${first[0]?.message ?? ''}`];
  const shown = first.slice(0, examplesShown);
  return shown.map(({ line, message }) => `    line ${line}: ${message}`);
}

function place(line: number, column: string | undefined): string {
  if (line === 0) return '';
  return `line ${line}${column === undefined ? '' : `, ${readableText(column)}`}: `;
}
