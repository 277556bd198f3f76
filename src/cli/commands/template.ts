import { fields } from '../../domain/row.ts';
import { switchFlag } from '../flags/flag-kinds.ts';
import type { Command } from './command.ts';

/** Name in one column: the template needs only one way to write a thing. */
const left = new Set<string>(['firstName', 'lastName', 'debitCurrency', 'debitCountry']);

export const templateCommand: Command<{ all: boolean }> = {
  builder: (yargs) => yargs.option('all', switchFlag('Also print the columns that are rarely needed')),
  handler: ({ all }) => {
    process.stdout.write(`${fields.filter((field) => all || !left.has(field)).join(',')}\r\n`);
  },
};
