import { shellWord } from '../../domain/text/shell-word.ts';
import { isOfDevices } from '../../storage/is-of-devices.ts';
import { shaping } from './shaping-flags.ts';

/** Flags that change what a file means or where it is paid: the next command needs them just as this one did. */
const carried = [...shaping, 'batch', 'config', 'workspace', 'sandbox'] as const;

/** A command to go on with, as it can be copied into a shell. */
export function nextCommand(
  command: string,
  flags: { readonly file: string },
  ...more: readonly string[]
): string {
  const given = flags as unknown as Readonly<Record<string, unknown>>;
  const words = carried.flatMap((name) => wordsOf(name, given[name]));
  const extra = more.filter((word) => !words.includes(word));
  return ['payrun', command, fileWord(flags.file), ...words, ...extra].join(' ');
}

/** What came through a pipe, which has no name of its own. */
export function isPassing(file: string): boolean {
  return file === '-' || isOfDevices(file);
}

/** What a shell made of `<(…)` is gone with this command. */
function fileWord(file: string): string {
  if (isOfDevices(file)) return 'FILE';
  return shellWord(file.startsWith('-') && file !== '-' ? `./${file}` : file);
}

function wordsOf(name: string, value: unknown): string[] {
  if (value === undefined || value === false || value === 0) return [];
  if (value === true) return [`--${name}`];
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((each) => [`--${name}`, shellWord(String(each))]);
}
