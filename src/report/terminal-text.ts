import { escapeControlCharacters, nameControlCharacters } from '../domain/text/escape-control-characters.ts';
import { maskPayees } from '../domain/text/mask-numbers.ts';

/** Text as a terminal may get it, whoever wrote it: nothing in it acts, and no payee shows the whole number. */
export function terminalText(text: string): string {
  return nameControlCharacters(maskPayees(text));
}

/** JSON that reads back as the same values, and acts on no terminal either. */
export function jsonText(value: unknown): string {
  return escapeControlCharacters(JSON.stringify(value));
}
