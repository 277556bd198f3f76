#!/usr/bin/env node
import { hideBin } from 'yargs/helpers';
import { chooseCommand } from './commands/choose-command.ts';
import { failWith } from './terminal/fail-with.ts';
import { outliveStderr } from './terminal/print.ts';

outliveStderr();
try {
  await (await chooseCommand(hideBin(process.argv)))?.run();
} catch (error) {
  process.exitCode = failWith(error, process.argv.includes('--json'));
}
