import { cleanText } from './text/clean-text.ts';
import { isoDayIn } from './text/day-text.ts';
import { readableText } from './text/readable-text.ts';

/** A batch name in canonical form, or why the text is none. */
export type BatchName = { readonly name: string } | { readonly problem: string };

const longestName = 100;

/** The name is half of every reference and part of file names: one spelling, and nothing that a path could be made of. */
export function parseBatchName(text: string): BatchName {
  const name = cleanText(text.slice(0, 4 * longestName)).text;
  if (name === '') return { problem: 'The batch name is empty. Give it one, such as payroll-2026-11.' };
  const shown = readableText(name);
  if (name.length > longestName || text.length > 4 * longestName) {
    return { problem: `The batch name ${shown} is longer than ${longestName} characters. Shorten it.` };
  }
  if (!plain.test(name) && !allowed.test(name)) {
    return {
      problem: `The batch name ${shown} may hold only letters, digits, blanks and . _ - and must begin with a letter or a digit.`,
    };
  }
  return { name };
}

/** From a file's name without its folder and extension; what a batch name cannot hold becomes a blank. */
export function batchNameFromFile(path: string): BatchName {
  const fileName = path.replace(/^.*[/\\]/s, '').slice(-1000);
  const stem = cleanText(fileName.replace(/(?<=.)\.[^.]*$/s, '')).text;
  return parseBatchName(plain.test(stem) ? stem : stem.replace(notAllowed, ' ').replace(/^[ ._-]+/, ''));
}

/** Fills `{yyyy}`, `{MM}` and `{dd}` with the date that it is in a time zone. */
export function fillBatchPattern(pattern: string, nowMs: number, timeZone: string): string {
  const [year = '', month = '', day = ''] = isoDayIn(timeZone)(nowMs).split('-');
  return pattern.replaceAll('{yyyy}', year).replaceAll('{MM}', month).replaceAll('{dd}', day);
}

/** Most names are, and need no table of the letters of all the world. */
const plain = /^[A-Za-z0-9][A-Za-z0-9 ._-]*$/;
const allowed = /^[\p{L}0-9][\p{L}\p{M}0-9 ._-]*$/u;
const notAllowed = /[^\p{L}\p{M}0-9 ._-]+/gu;
