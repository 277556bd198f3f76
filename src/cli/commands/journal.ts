import type { InferredOptionTypes } from 'yargs';
import { counted } from '../../domain/text/counted.ts';
import { jsonText } from '../../report/terminal-text.ts';
import { jsonFlag } from '../flags/flag-kinds.ts';
import { usageError } from '../flags/usage-error.ts';
import { workspaceFlags } from '../flags/workspace-flags.ts';
import { journalUrlOf } from '../setup/journal-url-of.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { printText } from '../terminal/print.ts';
import type { Command } from './command.ts';

const options = { ...workspaceFlags, json: jsonFlag } as const;

type Flags = InferredOptionTypes<typeof options> & {
  readonly action: 'move';
  readonly url: string | undefined;
};

export const journalCommand: Command<Flags> = {
  builder: (yargs) =>
    yargs
      .positional('action', {
        choices: ['move'],
        demandOption: true,
        describe: 'move: take the journal of the workspace to Postgres',
      } as const)
      .positional('url', {
        type: 'string',
        describe: 'postgres://user@host/database, without a password; default: PAYRUN_JOURNAL_URL',
      })
      .options(options),
  handler: async (flags) => {
    refusePassword(flags.url);
    const opened = await payrunOf(flags);
    const url = flags.url ?? journalUrlOf(opened.config);
    if (url === undefined)
      throw usageError('Say where it goes: payrun journal move postgres://user@host/database');
    return withPayrun(opened, async (payrun) => {
      const moved = await payrun.moveJournal(url);
      if (flags.json) return printText(jsonText({ kind: 'journal-moved', ...moved }));
      const { batches, payouts, events, hash, place } = moved;
      return printText(
        `${opened.word}\nMoved ${counted(batches, 'batch', 'batches')} with ${counted(payouts, 'payout')} and ${counted(events, 'event')} to ${place}. An audit finds the same on both sides${events === 0 ? '' : `, and the log ends in ${hash}`}.\nFrom now on payrun needs PAYRUN_JOURNAL_URL here; without it, it refuses to pay.`,
      );
    });
  },
};

/** What is typed can be read by others on the machine, and stays in the history of the shell. */
function refusePassword(url: string | undefined): void {
  if (url === undefined || !URL.canParse(url) || new URL(url).password === '') return;
  throw usageError('A password does not belong on the command line. Put the URL into PAYRUN_JOURNAL_URL.');
}
