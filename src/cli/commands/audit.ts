import { exitCode } from '../../errors.ts';
import { auditDocument, auditReport } from '../../report/audit-report.ts';
import { jsonText } from '../../report/terminal-text.ts';
import { commandToRebind } from '../flags/command-to-rebind.ts';
import { jsonFlag, switchFlag } from '../flags/flag-kinds.ts';
import { usageError } from '../flags/usage-error.ts';
import { type WorkspaceFlags, withWorkspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, requireService, withPayrun } from '../setup/payrun-of.ts';
import { printText } from '../terminal/print.ts';
import type { Command } from './command.ts';

interface Flags extends WorkspaceFlags {
  batch: string | undefined;
  results: string | undefined;
  service: boolean;
  json: boolean;
}

export const auditCommand: Command<Flags> = {
  builder: (yargs) =>
    withWorkspaceFlags(
      yargs.positional('batch', { type: 'string', describe: 'Name of the batch; default: all batches' }),
    )
      .option('results', {
        type: 'string',
        describe: 'Check that this results file says what the journal says',
      })
      .option('service', switchFlag('Compare every payout with the service'))
      .option('json', jsonFlag),
  handler: (flags) => {
    if (flags.batch === undefined && flags.results !== undefined) {
      throw usageError('Say whose results these are: payrun audit BATCH --results FILE');
    }
    const opened = payrunOf(flags);
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
