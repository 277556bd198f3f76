import { jsonText, terminalText } from '../../report/terminal-text.ts';

let isJson = false;

/** Said once for the whole command, before anything else is: under `--json-lines` every line is JSON. */
export function noticesAsJson(asJson: boolean): void {
  isJson = asJson;
}

/** What is said on stderr by whoever has no other way: while settings are read, or between two batches. */
export function sayNotice(message: string): void {
  const line = isJson ? jsonText({ kind: 'notice', message }) : terminalText(message);
  process.stderr.write(`${line}\n`);
}
