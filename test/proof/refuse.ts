/** Ends a program of the proof with what is wrong with the words that it was given. */
export function refuse(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(2);
}
