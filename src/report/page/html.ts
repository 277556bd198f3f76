import { nameControlCharacters } from '../../domain/text/escape-control-characters.ts';

/** A piece of a page that is safe to put in it. Only `html` makes one. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | readonly Html[];

/**
 * Markup of ours with values in it. A text is never taken for markup, whoever wrote it: its signs are escaped, and those
 * that nobody sees are named. There is no way round it, so that no value can be forgotten.
 */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = texts.reduce((before, text, index) => before + markupOf(parts[index - 1] ?? '') + text);
  return { markup };
}

/** Pieces after each other. */
export function joined(pieces: readonly Html[]): Html {
  return { markup: pieces.map(({ markup }) => markup).join('') };
}

export const nothing: Html = html``;

/** What a condition is true of. */
export function when(condition: boolean, piece: () => Html): Html {
  return condition ? piece() : nothing;
}

function markupOf(part: Part): string {
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

function escaped(text: string): string {
  return nameControlCharacters(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? '');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
