#!/usr/bin/env node
import { createRequire } from 'node:module';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { exitCode, PayrunError } from '../errors.ts';
import { failWith } from './fail-with.ts';
import { sandboxCommand } from './sandbox.ts';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

try {
  await yargs(hideBin(process.argv))
    .scriptName('payrun')
    .usage('$0 <command>\n\nPays a file: every valid row exactly once, whatever happens in between.')
    .command(sandboxCommand)
    .demandCommand(1, 'Say which command: payrun --help lists them.')
    .strict()
    .recommendCommands()
    .version(version)
    .alias('help', 'h')
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .epilogue('Exit codes and everything else: see README.md.')
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new PayrunError('usage', exitCode.usage, `${message}\nTry: payrun --help`);
    })
    .parseAsync();
} catch (error) {
  process.exitCode = failWith(error, process.argv.includes('--json'));
}
