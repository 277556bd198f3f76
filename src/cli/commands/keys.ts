import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { InferredOptionTypes } from 'yargs';
import { newSigningKey } from '../../domain/approval/signing-key.ts';
import { cleanText } from '../../domain/text/clean-text.ts';
import { pathTrouble } from '../../domain/text/path-trouble.ts';
import { PayrunError } from '../../errors.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { textFlag } from '../flags/flag-kinds.ts';
import { usageError } from '../flags/usage-error.ts';
import { operatorName } from '../setup/operator.ts';
import { keyFlags, newPassphrase, silentTerminal } from '../setup/signing-keys.ts';
import { printText } from '../terminal/print.ts';
import type { Command } from './command.ts';

const options = {
  out: textFlag('Where the private key goes; readable by you alone'),
  name: textFlag('Whose key it is, as the log is to say it; default: PAYRUN_OPERATOR or the login name'),
  'passphrase-file': keyFlags['passphrase-file'],
} as const;

type Flags = InferredOptionTypes<typeof options> & { readonly action: 'new' };

const longestName = 60;

export const keysCommand: Command<Flags> = {
  builder: (yargs) =>
    yargs
      .positional('action', {
        choices: ['new'],
        demandOption: true,
        describe: 'new: make a key pair',
      } as const)
      .options(options),
  handler: async (flags) => {
    const { out } = flags;
    if (out === undefined) throw usageError('Say where the private key goes: --out FILE.');
    const name = nameOf(flags.name ?? operatorName());
    refuseTaken(out);
    const passphrase = await newPassphrase(flags['passphrase-file'], silentTerminal());
    const { key, pem } = newSigningKey(passphrase);
    const line = `${key} ${name}`;
    writeNew(out, `payrun key of ${name}, public half ${key}\n${pem}`);
    process.stderr.write(
      terminalText(
        `The private key is in ${out}: keep it to yourself.\nThis line goes into "approvers" in payrun.config.json:\n`,
      ),
    );
    await printText(line);
  },
};

/** It stands in a line of its own, in the configuration and in the log. */
function nameOf(given: string): string {
  const { text, control } = cleanText(given);
  if (text === '' || control || text.length > longestName)
    throw usageError(`--name takes one line of at most ${longestName} characters.`);
  return text;
}

/** Before anybody has chosen a passphrase and typed it twice. */
function refuseTaken(path: string): void {
  if (existsSync(path)) throw cannotWrite(path, taken);
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw cannotWrite(path, pathTrouble(error, dirname(path)));
  }
}

/** Never over a file that is there: it may be somebody's key. */
function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw cannotWrite(path, isThere ? taken : pathTrouble(error, dirname(path)));
  }
}

const taken = 'it is already there; choose another name';

function cannotWrite(path: string, why: string): PayrunError {
  return new PayrunError('cannot-write', `--out cannot write ${path}: ${why}.`);
}
