import type { InferredOptionTypes } from 'yargs';
import { forgottenReport, namesDocument, namesReport } from '../../report/names-report.ts';
import { jsonText } from '../../report/terminal-text.ts';
import { decisionFlags, reasonFlag } from '../flags/decision-flags.ts';
import { jsonFlag } from '../flags/flag-kinds.ts';
import { usageError } from '../flags/usage-error.ts';
import { workspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { printText } from '../terminal/print.ts';
import type { Command } from './command.ts';

const options = {
  ...workspaceFlags,
  forget: { type: 'string', array: true, describe: 'Forget these pairs, by their ids; several may follow' },
  reason: decisionFlags.reason,
  json: jsonFlag,
} as const;

export const namesCommand: Command<InferredOptionTypes<typeof options>> = {
  builder: (yargs) => yargs.options(options),
  handler: async (flags) => {
    const ids = flags.forget?.map((id) => id.trim()).filter((id) => id !== '');
    if (ids?.length === 0) throw usageError('--forget takes the ids that payrun names shows.');
    if (!ids && flags.reason !== undefined) throw usageError('--reason goes with --forget ID.');
    const reason = ids ? reasonFlag(flags) : '';
    const opened = await payrunOf(flags);
    return withPayrun(opened, async (payrun) => {
      const pairs = ids ? await payrun.forgetNames(ids, reason) : await payrun.names();
      const text = ids ? forgottenReport(pairs) : namesReport(pairs);
      const kind = ids ? 'names-forgotten' : 'names';
      await printText(flags.json ? jsonText(namesDocument(pairs, kind)) : `${opened.word}\n${text}`);
    });
  },
};
