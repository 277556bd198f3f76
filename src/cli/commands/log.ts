import type { InferredOptionTypes } from 'yargs';
import { logPieces } from '../../report/log-document.ts';
import { logReport } from '../../report/log-report.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { batchName, jsonFlag, switchFlag, textFlag } from '../flags/flag-kinds.ts';
import { workspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { printPieces } from '../terminal/print.ts';
import type { Command } from './command.ts';

const options = {
  ...workspaceFlags,
  payment: textFlag('Every move and send of one payout, by paymentId, reference or line:17'),
  all: switchFlag('Every move and send of every payout'),
  json: jsonFlag,
};

type Flags = InferredOptionTypes<typeof options> & { batch: string };

export const logCommand: Command<Flags> = {
  builder: (yargs) => yargs.positional('batch', batchName).options(options),
  handler: async (flags) => {
    const opened = await payrunOf(flags);
    return withPayrun(opened, async (payrun) => {
      const log = await payrun.log(flags.batch, flags.payment);
      if (flags.json) return printPieces(logPieces(log));
      const width = process.stdout.isTTY ? process.stdout.columns : undefined;
      return printPieces(
        onTerminal(opened.word, log.environment, logReport(log, { width, isWhole: flags.all })),
      );
    });
  },
};

function* onTerminal(word: string, environment: string, pieces: Iterable<string>): Generator<string> {
  yield terminalText(`${word}  ${environment}\n`);
  for (const piece of pieces) yield terminalText(piece);
}
