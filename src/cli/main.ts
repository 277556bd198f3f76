#!/usr/bin/env node
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { exitCode, PayrunError } from '../errors.ts';
import { auditCommand } from './audit.ts';
import { cancelCommand } from './cancel.ts';
import { decideCommand } from './decide.ts';
import { failWith } from './fail-with.ts';
import { initCommand } from './init.ts';
import { listenCommand } from './listen.ts';
import { planCommand } from './plan.ts';
import { releaseCommand } from './release.ts';
import { resultsCommand } from './results.ts';
import { resumeCommand } from './resume.ts';
import { retryCommand } from './retry.ts';
import { runCommand } from './run.ts';
import { sandboxCommand } from './sandbox.ts';
import { statusCommand } from './status.ts';
import { templateCommand } from './template.ts';
import { validateCommand } from './validate.ts';
import { version } from './version.ts';

try {
  await yargs(hideBin(process.argv))
    .scriptName('payrun')
    .usage('$0 <command>\n\nPays a file: every valid row exactly once, whatever happens in between.')
    .command(initCommand)
    .command(templateCommand)
    .command(validateCommand)
    .command(planCommand)
    .command(runCommand)
    .command(resumeCommand)
    .command(resultsCommand)
    .command(statusCommand)
    .command(retryCommand)
    .command(releaseCommand)
    .command(cancelCommand)
    .command(decideCommand)
    .command(auditCommand)
    .command(listenCommand)
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
