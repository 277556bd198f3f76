import { isOtherFormat } from '../domain/problems/problem-kinds.ts';

/** What to do about a file with blocking problems of these codes: to no format but CSV could anything be corrected. */
export function correctFirst(codes: readonly string[], command: string): string {
  return codes.some(isOtherFormat)
    ? 'Next: the same command with a CSV file in its place'
    : `Next: correct the file, then ${command}`;
}
