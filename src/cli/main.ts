#!/usr/bin/env node
import { exitCode } from '../errors.ts';
import { version } from '../library/version.ts';
import { refusedNode } from './refused-node.ts';
import { outliveStderr } from './terminal/print.ts';
import { untilOver } from './until-over.ts';

outliveStderr();
const words = process.argv.slice(2);
// What only asks for the version waits for nothing else to be loaded.
if (words.length === 1 && words[0] === '--version') process.stdout.write(`${version}\n`);
else {
  const refused = refusedNode(process.versions.node);
  if (refused === undefined)
    untilOver(import('./run-command.ts').then(({ runCommand }) => runCommand(words)));
  else {
    process.stderr.write(`${refused}\n`);
    process.exitCode = exitCode.configuration;
  }
}
