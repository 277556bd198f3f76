import { PayrunError } from '../../errors.ts';
import { readTrustedFile } from '../../storage/trusted-file.ts';
import { usageError } from '../flags/usage-error.ts';
import { askHidden } from '../terminal/ask-hidden.ts';
import { isAtTerminal, ownTerminal } from './confirm-call.ts';

const mostBytes = 64 * 1024;

/** A text that must not stand in a command line: from a file, from stdin, or typed at a terminal without being shown. */
export async function readSecret(file: string | undefined, question: string): Promise<string> {
  if (file === undefined && isAtTerminal()) return askHidden(question, ownTerminal());
  return (await readInput(file)).trim();
}

/** The fields of a JSON object, all of them texts. No message repeats what stands in it. */
export async function readGiven<Field extends string>(
  file: string | undefined,
  fields: readonly Field[],
): Promise<Partial<Record<Field, string>>> {
  const given = await readObject(file, fields);
  const texts: Partial<Record<Field, string>> = {};
  for (const field of fields) {
    const value = given[field];
    if (typeof value === 'string' || typeof value === 'number') texts[field] = String(value);
  }
  return texts;
}

export async function readObject(
  file: string | undefined,
  fields: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const given = parsed(await readInput(file));
  const form = `{${fields.map((field) => `"${field}": "…"`).join(', ')}}`;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw usageError(`What was given is not JSON of this form: ${form}`);
  if (Object.keys(given).some((field) => !fields.includes(field)))
    throw usageError(`What was given has fields that are not known. It has this form: ${form}`);
  return given as Readonly<Record<string, unknown>>;
}

/** Why it cannot be read is not said: the words for it would quote it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readInput(file = '-'): Promise<string> {
  if (file === '-') return readStdin();
  try {
    return readTrustedFile(file, mostBytes);
  } catch (error) {
    throw new PayrunError('file-missing', `--input cannot be read: ${(error as Error).message}.`);
  }
}

async function readStdin(): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of process.stdin) {
    pieces.push(Buffer.from(piece));
    length += pieces.at(-1)?.length ?? 0;
    if (length > mostBytes) throw usageError(`Standard input holds more than ${mostBytes} bytes.`);
  }
  return Buffer.concat(pieces).toString('utf8');
}
