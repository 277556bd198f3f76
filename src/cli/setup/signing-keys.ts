import { isEncryptedKey, openSigningKey, type Signer } from '../../domain/approval/signing-key.ts';
import { PayrunError } from '../../errors.ts';
import { readPrivateFile } from '../../storage/trusted-file.ts';
import { textFlag } from '../flags/flag-kinds.ts';
import { usageError } from '../flags/usage-error.ts';
import { askPassphrase, type SilentTerminal } from '../terminal/ask-passphrase.ts';

const mostBytes = 64 * 1024;
const shortestPassphrase = 12;
const tooShort = `The passphrase is shorter than ${shortestPassphrase} characters. Four or five words of your own are easier to type and harder to guess.`;
const mostTries = 3;

/** How a key is opened: the same flags for all who sign. */
export const keyFlags = {
  key: textFlag('Your private key file (payrun keys new)'),
  'passphrase-file': textFlag('File with the passphrase of the key; default: it is asked for'),
};

/** The terminal, where there is one. */
export function silentTerminal(): SilentTerminal | undefined {
  const { stdin: input, stderr: output } = process;
  return input.isTTY === true && output.isTTY === true ? { input, output } : undefined;
}

/** The key of whoever signs. */
export async function signerOf(
  path: string,
  passphraseFile: string | undefined,
  terminal: SilentTerminal | undefined,
): Promise<Signer> {
  const pem = readOwn('key', path);
  const passphrase =
    passphraseFile === undefined
      ? await asked(`Passphrase of ${path}: `, terminal)
      : passphraseIn(passphraseFile);
  const signer = openSigningKey(pem, passphrase);
  if (signer) return signer;
  throw notUsable(
    isEncryptedKey(pem)
      ? `The passphrase does not open ${path}.`
      : `${path} is no private key of payrun: make one with payrun keys new.`,
  );
}

/** The passphrase of a new key: typed twice, or out of a file. */
export async function newPassphrase(
  passphraseFile: string | undefined,
  terminal: SilentTerminal | undefined,
): Promise<string> {
  if (passphraseFile !== undefined) {
    const chosen = passphraseIn(passphraseFile);
    if (isShort(chosen)) throw notUsable(tooShort);
    return chosen;
  }
  // Whoever mistyped goes on typing: what is not read here would be read by the shell.
  for (let left = mostTries; left > 0; left -= 1) {
    const trouble = (why: string) => {
      if (left === 1) throw notUsable(`${why} Nothing was written.`);
      terminal?.output.write(`${why} Once more, please.\n`);
    };
    const chosen = await asked(`Choose a passphrase (at least ${shortestPassphrase} characters): `, terminal);
    if (isShort(chosen)) trouble(tooShort);
    else if ((await asked('The same again: ', terminal)) === chosen) return chosen;
    else trouble('The two passphrases differ.');
  }
  throw new Error('the last try returns or throws');
}

function isShort(passphrase: string): boolean {
  return Array.from(passphrase).length < shortestPassphrase;
}

async function asked(question: string, terminal: SilentTerminal | undefined): Promise<string> {
  if (terminal) return askPassphrase(question, terminal);
  throw usageError(
    'There is nobody at a terminal to type the passphrase: name a file with --passphrase-file.',
  );
}

/** Editors end a file with a line break, which nobody typed. */
function passphraseIn(path: string): string {
  return readOwn('passphrase', path).replace(/\r?\n$/, '');
}

function readOwn(what: string, path: string): string {
  try {
    return readPrivateFile(path, mostBytes);
  } catch (error) {
    throw notUsable(`The ${what} cannot be read: ${(error as Error).message}.`);
  }
}

function notUsable(message: string): PayrunError {
  return new PayrunError('key-not-usable', message);
}
