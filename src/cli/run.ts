import type { CommandModule } from 'yargs';
import { systemClock } from '../clock.ts';
import { exitCode, PayrunError } from '../errors.ts';
import { openJournal } from '../journal/open-journal.ts';
import { openLog } from '../logger.ts';
import type { PlannedFile } from '../pipeline/plan-file.ts';
import { runBatch } from '../pipeline/run-batch.ts';
import { planDocument } from '../report/plan-document.ts';
import { planReport } from '../report/plan-report.ts';
import { problemReport } from '../report/problem-report.ts';
import { runDocument } from '../report/run-document.ts';
import { nothingPaid, runReport } from '../report/run-report.ts';
import { jsonText, terminalText } from '../report/terminal-text.ts';
import { journalPath, logPath, makeWorkspace } from '../workspace.ts';
import { amountFlags } from './amount-flags.ts';
import { commandsAfterRun } from './commands-after-run.ts';
import { confirmAtTerminal } from './confirm-total.ts';
import { askedOf, connect, environmentKind, environmentWord, noService } from './connect.ts';
import { durationFlag } from './duration-flag.ts';
import { sourceOf, withFileFlags } from './file-flags.ts';
import { watchInterrupts } from './interrupts.ts';
import { nextCommand } from './next-command.ts';
import { operatorName } from './operator.ts';
import { type PlanFlags, planOptions, withPlanFlags } from './plan-flags.ts';
import { withPolicyFlags } from './policy-flags.ts';
import { printPieces, printText } from './print.ts';
import { progressListener, toAll } from './progress.ts';
import { type RunFlags, rateFlag, runSettings, withRunFlags } from './run-flags.ts';
import { refuseRepeated } from './single-flags.ts';
import { findWorkspace, withWorkspaceFlags } from './workspace-flags.ts';

interface Flags extends PlanFlags, RunFlags {
  yes: boolean;
  'confirm-total': string[];
  'max-total': string[];
  results: string | undefined;
}

export const runCommand: CommandModule<object, Flags> = {
  command: 'run <file>',
  describe: 'Pay a file: every sound row exactly once. Run it again after any failure',
  builder: (yargs) =>
    withRunFlags(withPlanFlags(withWorkspaceFlags(withPolicyFlags(withFileFlags(yargs)))))
      .option('yes', {
        type: 'boolean',
        default: false,
        describe: 'Do not ask; a live service then needs a limit',
      })
      .option('confirm-total', {
        type: 'string',
        array: true,
        nargs: 1,
        default: [] as string[],
        describe: 'The file adds up to this: KES=125000.00',
      })
      .option('max-total', {
        type: 'string',
        array: true,
        nargs: 1,
        default: [] as string[],
        describe: 'Send no more than this: KES=2000000',
      })
      .option('results', { type: 'string', describe: 'Where the results go; default beside the file' }),
  handler: async (flags) => {
    const workspace = findWorkspace(flags);
    const { config } = workspace;
    const kind = environmentKind(flags.sandbox, config);
    if (kind === undefined) throw noService();
    refuseRepeated(flags, 'results');
    const options = planOptions(flags, config);
    const settings = runSettings(flags, config, options.policy);
    const limits = {
      confirmTotal: amountFlags('--confirm-total', flags['confirm-total']),
      maxTotal: amountFlags('--max-total', flags['max-total']),
    };
    const deadlineMs = flags.deadline === undefined ? undefined : durationFlag('--deadline', flags.deadline);
    const atTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
    const source = sourceOf(flags.file);
    if (!workspace.exists) requireWorkspace(workspace.path, flags.sandbox);
    makeWorkspace(workspace.path);
    if (!flags.quiet) process.stderr.write(`${environmentWord[kind]}\n`);

    const db = openJournal(journalPath(workspace.path, kind));
    const log = openLog(logPath(workspace.path), { command: 'run', file: flags.file });
    const interrupts = watchInterrupts(deadlineMs);
    const tuning = {
      timeoutMs: settings.timeoutMs,
      concurrency: settings.concurrency,
      ratePerSecond: rateFlag(flags, config),
    };
    const connection = await connect(flags.sandbox, workspace.path, config, tuning);
    try {
      const result = await runBatch(
        {
          db,
          workspace: workspace.path,
          clock: systemClock,
          ...askedOf(connection),
          service: connection.service,
        },
        source,
        {
          ...options,
          checkNames: atTerminal && !flags.yes,
          settings,
          limits,
          limitsNeeded: flags.yes && kind !== 'sandbox',
          resultsPath: flags.results,
          operator: operatorName(),
          confirm: (planned) => confirm(planned, flags, atTerminal),
          onEvent: toAll(progressListener(flags), log.onEvent),
          signal: interrupts.signal,
        },
      );
      if (result.kind === 'refused') {
        await sayRefused(result.planned, flags, environmentWord[kind]);
        process.exitCode = result.planned.exit;
        return;
      }
      const exit = interrupts.exit() ?? result.summary.exit;
      const summary = { ...result.summary, exit };
      log.end({ batch: summary.batch, exit, statuses: summary.statuses });
      const unpaid = nothingPaid(summary);
      if (flags.json) await printPieces([`${jsonText(runDocument(summary))}\n`]);
      else if (!flags.quiet || exit !== exitCode.ok)
        await printText(runReport(summary, commandsAfterRun(summary.batch, flags)));
      else if (unpaid !== undefined) await printText(unpaid);
      process.exitCode = exit;
    } finally {
      interrupts.close();
      log.close();
      await connection.close();
      db.close();
    }
  },
};

/** A live workspace is made by init or a yes: a job in the wrong home must not start with an empty memory. */
function requireWorkspace(path: string, sandbox: boolean): void {
  if (sandbox) return;
  throw new PayrunError(
    'workspace-missing',
    exitCode.configuration,
    `There is no workspace at ${path}, so payrun would not know what was paid before. If this is the first time, make it with: payrun init. Otherwise name the right one with --workspace.`,
  );
}

async function confirm(planned: PlannedFile, flags: Flags, atTerminal: boolean): Promise<boolean> {
  if (flags.yes) {
    tellFindings(planned, flags);
    return true;
  }
  if (planned.plan.totals.every((total) => total.toSendMinor === 0n)) return true;
  if (atTerminal) return confirmAtTerminal(planned, nextCommand('run', flags));
  throw new PayrunError(
    'not-confirmed',
    exitCode.guardRefused,
    'There is nobody at a terminal to confirm the total. Add --yes, and for a live service --confirm-total or --max-total.',
  );
}

/** Nobody is asked, so nobody is shown the plan: what was repaired or looks odd is still said before it is paid. */
function tellFindings({ drafted }: PlannedFile, { quiet }: Flags): void {
  const findings = quiet ? '' : problemReport(drafted.questions);
  if (findings !== '') process.stderr.write(terminalText(`${findings}\n`));
}

async function sayRefused(planned: PlannedFile, flags: Flags, word: string): Promise<void> {
  const setting = { file: flags.file, kind: word, remembers: true } as const;
  if (flags.json) {
    const code =
      planned.exit === exitCode.fileInvalid ? 'file-invalid' : (planned.plan.guards[0]?.code ?? 'refused');
    const message =
      planned.plan.guards.map((guard) => guard.message).join('\n') ||
      'The file has problems: payrun validate shows them.';
    await printPieces([
      `${jsonText({ error: { code, message, exit: planned.exit }, plan: planDocument(planned, setting as Parameters<typeof planDocument>[1]) })}\n`,
    ]);
    return;
  }
  const commands = {
    run: nextCommand('run', flags),
    plan: nextCommand('run', flags),
    skipInvalid: nextCommand('run', flags, '--skip-invalid'),
  };
  await printText(planReport(planned, { ...setting, commands } as Parameters<typeof planReport>[1]));
}
