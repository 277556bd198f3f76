#!/usr/bin/env node
import { hideBin } from 'yargs/helpers';
import { chooseCommand } from './choose-command.ts';
import { failWith } from './fail-with.ts';
import { outliveStderr } from './print.ts';

outliveStderr();
try {
  await (await chooseCommand(hideBin(process.argv)))?.run();
} catch (error) {
  process.exitCode = failWith(error, process.argv.includes('--json'));
}
