import type { InferredOptionTypes } from 'yargs';
import { exitCode } from '../../errors.ts';
import { auditDocument, auditReport } from '../../report/audit-report.ts';
import { jsonText } from '../../report/terminal-text.ts';
import { batchOrAll, jsonFlag, switchFlag, textFlag } from '../flags/flag-kinds.ts';
import { commandToRebind } from '../flags/next-batch-command.ts';
import { usageError } from '../flags/usage-error.ts';
import { workspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, requireService, withPayrun } from '../setup/payrun-of.ts';
import { printText } from '../terminal/print.ts';
import type { Command } from './command.ts';

const options = {
  ...workspaceFlags,
  results: textFlag('Check that this results file says what the journal says'),
  service: switchFlag('Compare every payout with the service'),
  json: jsonFlag,
};

type Flags = InferredOptionTypes<typeof options> & { batch: string | undefined };

export const auditCommand: Command<Flags> = {
  builder: (yargs) => yargs.positional('batch', batchOrAll).options(options),
  handler: async (flags) => {
    if (flags.batch === undefined && flags.results !== undefined) {
      throw usageError('Say whose results these are: payrun audit BATCH --results FILE');
    }
    const opened = await payrunOf(flags);
    return withPayrun(opened, async (payrun) => {
      if (flags.service) requireService(opened);
      const { batch, results, service } = flags;
      const audit = await payrun.audit({ batch, results, service, rebindCommand: commandToRebind(flags) });
      const exit = audit.count === 0 ? exitCode.ok : exitCode.someNotPaid;
      if (flags.json) await printText(jsonText(auditDocument(audit, exit)));
      else await printText(`${opened.word}\n${auditReport(audit)}`);
      process.exitCode = exit;
    });
  },
};
