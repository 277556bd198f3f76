import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import { decimalFromMinor } from '../../domain/money/money.ts';
import { findCurrency } from '../../domain/reference-data/countries.ts';
import { exitCode, PayrunError } from '../../errors.ts';
import { inspectBooks } from '../../sandbox/store/ledger.ts';
import { readStore } from '../../sandbox/store/open-store.ts';
import { sandboxStatePath } from '../../workspace.ts';
import { jsonFlag } from '../flags/flag-kinds.ts';

/** Read when it is asked for: the environment may be another by then. */
export function stateFolder() {
  const usual = process.env['PAYRUN_WORKSPACE'] ?? '.payrun';
  return { type: 'string', default: usual, describe: 'Folder for the state' } as const;
}

export const sandboxBooksCommand: CommandModule<object, { workspace: string; json: boolean }> = {
  command: 'books',
  describe: 'Show the books of the sandbox in the workspace, and whether they balance',
  builder: (yargs) => yargs.options({ workspace: stateFolder(), json: jsonFlag }),
  handler: (flags) => {
    const path = sandboxStatePath(resolve(flags.workspace));
    if (!existsSync(path)) {
      throw new PayrunError(
        'no-sandbox-state',
        `There is no sandbox in ${flags.workspace}: start one with payrun sandbox, or name its --workspace.`,
      );
    }
    const { accounts, transfers, findings } = readStore(path, inspectBooks);
    const shown = accounts.map(({ name, currency, balanceMinor }) => ({
      account: name,
      balance: decimalFromMinor(balanceMinor, findCurrency(currency)?.decimals ?? 0),
    }));
    const balanced = findings.length === 0;
    process.stdout.write(
      flags.json
        ? `${JSON.stringify({ balanced, findings, transfers, accounts: shown })}\n`
        : `${[
            ...shown.map(({ account, balance }) => `${account.padEnd(20)}${balance.padStart(22)}`),
            '',
            ...findings,
            balanced
              ? `The books balance: ${transfers} transfers, every currency adds up to nothing.`
              : 'The books do NOT balance.',
          ].join('\n')}\n`,
    );
    process.exitCode = balanced ? exitCode.ok : exitCode.someNotPaid;
  },
};
