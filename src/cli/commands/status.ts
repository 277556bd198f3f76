import type { InferredOptionTypes } from 'yargs';
import { exitCode } from '../../errors.ts';
import type { Payrun } from '../../index.ts';
import { batchListDocument, batchListReport } from '../../report/batch-list.ts';
import { statusDocument } from '../../report/status-document.ts';
import { statusReport } from '../../report/status-report.ts';
import { jsonText } from '../../report/terminal-text.ts';
import { batchOrAll, jsonFlag } from '../flags/flag-kinds.ts';
import { nextBatchCommand, runFileCommand } from '../flags/next-batch-command.ts';
import { workspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { printText } from '../terminal/print.ts';
import type { Command } from './command.ts';

const options = { ...workspaceFlags, json: jsonFlag };

type Flags = InferredOptionTypes<typeof options> & { batch: string | undefined };

export const statusCommand: Command<Flags> = {
  builder: (yargs) => yargs.positional('batch', batchOrAll).options(options),
  handler: async (flags) => {
    const opened = await payrunOf(flags);
    return withPayrun(opened, (payrun) =>
      flags.batch === undefined
        ? showAll(payrun, opened.word, flags)
        : showOne(payrun, opened.word, flags.batch, flags),
    );
  },
};

/** Says with its own exit code what a run of the batch would have ended with. */
async function showOne(payrun: Payrun, word: string, batch: string, flags: Flags): Promise<void> {
  const status = await payrun.status(batch);
  const report = {
    ...status,
    command: (name: string, ...more: readonly string[]) => nextBatchCommand(name, batch, flags, ...more),
    runFile: runFileCommand(status.readWith, flags),
  };
  if (flags.json) await printText(jsonText(statusDocument(report)));
  else await printText(`${word}  ${report.environment}\n${statusReport(report)}`);
  process.exitCode = status.exit;
}

async function showAll(payrun: Payrun, word: string, flags: Flags): Promise<void> {
  const batches = await payrun.batches();
  if (flags.json) await printText(jsonText(batchListDocument(batches)));
  else await printText(`${word}\n${batchListReport(batches)}`);
  const isPaidTwice = batches.some(({ paidTwice }) => paidTwice.length > 0);
  process.exitCode = isPaidTwice ? exitCode.someNotPaid : exitCode.ok;
}
