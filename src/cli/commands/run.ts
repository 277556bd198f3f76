import type { InferredOptionTypes } from 'yargs';
import { exitCode, PayrunError } from '../../errors.ts';
import {
  type EnvironmentKind,
  type GivenApproval,
  type PlannedFile,
  type PlanOptions,
  toSendNow,
} from '../../index.ts';
import { planDocument } from '../../report/plan-document.ts';
import { planReport } from '../../report/plan-report.ts';
import { besidesPart } from '../../report/plan-summary.ts';
import { problemReport } from '../../report/problem-report.ts';
import { runDocument } from '../../report/run-document.ts';
import { nothingPaid, runReport } from '../../report/run-report.ts';
import { namesPart } from '../../report/service-report.ts';
import { jsonText } from '../../report/terminal-text.ts';
import { logPath } from '../../workspace.ts';
import { amountFlags } from '../flags/amount-flags.ts';
import { sourceOf, withFileOrNone } from '../flags/file-flags.ts';
import { listFlag, switchFlag, textFlag } from '../flags/flag-kinds.ts';
import { inGroup } from '../flags/in-group.ts';
import { commandsAfterRun } from '../flags/next-batch-command.ts';
import { isPassing, nextCommand } from '../flags/next-command.ts';
import { wholeNumberFlag } from '../flags/number-flags.ts';
import { planCommand, withPlanFlags } from '../flags/plan-file-flags.ts';
import { type PlanFlags, planFlags, planOptions, planSettings } from '../flags/plan-flags.ts';
import { deadlineFlag, runFlags, runSettings } from '../flags/run-flags.ts';
import { usageError } from '../flags/usage-error.ts';
import { type OpenedPayrun, payrunOf, requireService, withPayrun } from '../setup/payrun-of.ts';
import { readApprovals } from '../setup/read-approvals.ts';
import { readPlanFile } from '../setup/read-plan-file.ts';
import { requireWorkspace } from '../setup/require-workspace.ts';
import type { EnvironmentWord } from '../setup/service-of.ts';
import type { Terminal } from '../terminal/ask-at-terminal.ts';
import { confirmRebind } from '../terminal/confirm-rebind.ts';
import { confirmTotal } from '../terminal/confirm-total.ts';
import { firstLine } from '../terminal/first-line.ts';
import { asInterrupted, watchInterrupts } from '../terminal/interrupts.ts';
import { printPieces, printText } from '../terminal/print.ts';
import { openProgress, type Progress, toAll, withoutStages } from '../terminal/progress.ts';
import type { Command } from './command.ts';

const options = {
  ...planFlags,
  ...runFlags,
  ...inGroup('Confirming', {
    yes: switchFlag('Do not ask. A live service then needs --max-total or --confirm-total'),
    'confirm-total': listFlag('Pay only if the file adds up to this: KES=125000.00'),
    'max-total': listFlag('Send no more than this: KES=2000000'),
  }),
  ...inGroup('Who does it', {
    workers: switchFlag('Leave it to workers (payrun worker), and watch them'),
    detach: switchFlag('Leave it to workers, and end at once'),
    chunk: { type: 'number', describe: 'Payees that a worker takes at a time (500)' },
  } as const),
  results: textFlag('Path of the results; default: beside the file'),
  plan: textFlag('Pay exactly what this plan file says (payrun plan FILE --out PLAN.json)'),
  approval: listFlag('An approval of the plan; those beside it are found without this'),
};

const addSandbox = 'add --sandbox: the plan is of the embedded service.';

type Flags = PlanFlags &
  InferredOptionTypes<typeof options> & {
    readonly planText?: string;
    readonly isPlanOfSandbox?: boolean;
    readonly approvals?: readonly GivenApproval[];
  };
type TypedFlags = Omit<Flags, 'file'> & { readonly file: string | undefined };

export const runCommand: Command<TypedFlags> = {
  builder: (yargs) => withFileOrNone(yargs).options(options).check(namesFile),
  handler: async (typed) => {
    const flags = flagsOfRun(typed);
    const planning = planOptions(flags);
    const opened = await payrunOf(flags, { ...planSettings(flags), ...runSettings(flags) });
    const kind = requireService(opened, flags.isPlanOfSandbox ? `, or ${addSandbox}` : undefined);
    if (flags.isPlanOfSandbox && kind !== 'sandbox') throw usageError(`To pay by this plan, ${addSandbox}`);
    // From here on a connection may be open, which would keep the process.
    await withPayrun(opened, () => pay(flags, planning, opened, kind));
  },
};

async function pay(
  flags: Flags,
  planning: PlanOptions,
  opened: OpenedPayrun,
  kind: EnvironmentKind,
): Promise<void> {
  const { word, payrun } = opened;
  const limits = {
    confirmTotal: amountFlags('--confirm-total', flags['confirm-total']),
    maxTotal: amountFlags('--max-total', flags['max-total']),
  };
  const deadlineMs = deadlineFlag(flags);
  const atTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const asks = atTerminal && !flags.yes;
  const source = sourceOf(flags.file);
  if (!flags.sandbox) requireWorkspace(opened, flags);
  await payrun.prepare();
  const first = firstLine(word, flags);
  // The question shows it, with the place: there it is said once.
  if (!asks) first.say();

  const { openLog } = await import('../../logger.ts');
  const log = openLog(logPath(payrun.workspace), { command: 'run', file: flags.file });
  const progress = openProgress(flags, {
    stream: process.stderr,
    before: first.say,
    pulse: opened.pulse,
  });
  let isConfirmed = false;
  const interrupts = watchInterrupts(deadlineMs, progress.say, () => isConfirmed);
  const terminal = { input: process.stdin, output: process.stderr, interrupts };
  try {
    const result = await payrun.run(source, {
      ...planning,
      ...limits,
      plan: flags.planText,
      approvals: flags.approvals,
      limitsNeeded: flags.yes && kind !== 'sandbox',
      isTyped: asks,
      chunk: wholeNumberFlag('--chunk', flags.chunk, 1, 100_000),
      workers: flags.detach ? 'detached' : flags.workers ? 'watched' : undefined,
      resultsPath: flags.results,
      confirmRebind: asks
        ? (question) => {
            progress.pause();
            first.say();
            return confirmRebind(question, terminal);
          }
        : undefined,
      confirm: async (planned) => {
        progress.pause();
        if (toSendNow(planned.plan).size > 0) first.leaveOut();
        else first.say();
        isConfirmed = await confirm(planned, flags, word, {
          say: progress.tell,
          terminal: atTerminal ? terminal : undefined,
        });
        progress.goOn();
        return isConfirmed;
      },
      onEvent: toAll(progress.onEvent, withoutStages(log.onEvent)),
      signal: interrupts.stop,
      until: interrupts.signal,
    });
    progress.close();
    if (result.kind === 'refused') {
      const { plan, exit } = result.planned;
      log.end({ batch: plan.batch, exit, refused: plan.guards.map(({ code }) => code) });
      first.say();
      await sayRefused(result.planned, flags, word);
      process.exitCode = result.planned.exit;
      return;
    }
    const exit = interrupts.exit() ?? result.summary.exit;
    const summary = { ...result.summary, exit };
    log.end({ batch: summary.batch, exit, statuses: summary.statuses });
    const unpaid = nothingPaid(summary);
    if (flags.json) await printPieces([`${jsonText(runDocument(summary))}\n`]);
    else if (!flags.quiet || exit !== exitCode.ok)
      await printText(runReport(summary, commandsAfterRun(summary, flags, opened.config)));
    else if (unpaid !== undefined) await printText(unpaid);
    process.exitCode = exit;
  } catch (error) {
    // Else it would be wiped out with the lines that are drawn over themselves.
    progress.close();
    first.say();
    const stopped = asInterrupted(error, interrupts);
    log.failed(stopped);
    throw stopped;
  } finally {
    progress.close();
    interrupts.close();
    log.close();
  }
}

function namesFile({ file, plan }: { readonly file?: unknown; readonly plan?: unknown }): true {
  if (file !== undefined || plan !== undefined) return true;
  throw usageError('Name the file: payrun run FILE\nTry: payrun run --help');
}

/** With `--plan`, the plan says which file is paid and how it is read. */
function flagsOfRun({ file, ...typed }: TypedFlags): Flags {
  if (typed.plan === undefined) return { ...typed, file: file ?? '' };
  const planFile = readPlanFile(typed.plan);
  const named = file ?? planFile.document.file;
  if (file === undefined && isPassing(named))
    throw usageError(
      `The plan is of a file that came through a pipe: name it, payrun run FILE --plan ${typed.plan}`,
    );
  const approvals = readApprovals(typed.plan, typed.approval);
  const isPlanOfSandbox = planFile.document.environment?.startsWith('sandbox ') === true;
  const flags = { ...typed, file: named, planText: planFile.text, isPlanOfSandbox, approvals };
  return withPlanFlags(flags, planFile);
}

/** The same run again, as it can be copied into a shell. */
function sameCommand(flags: Flags): string {
  return flags.plan === undefined ? nextCommand('run', flags) : planCommand({ ...flags, plan: flags.plan });
}

/** A live workspace is made by init or a yes: a job in the wrong home must not start with an empty memory. */
interface Listeners {
  readonly say: Progress['tell'];
  readonly terminal: Terminal | undefined;
}

async function confirm(
  planned: PlannedFile,
  flags: Flags,
  kind: EnvironmentWord,
  { say, terminal }: Listeners,
): Promise<boolean> {
  if (flags.yes) {
    for (const findings of findingsOf(planned)) say(findings);
    return true;
  }
  if (toSendNow(planned.plan).size === 0) return true;
  if (terminal) return confirmTotal(planned, kind, sameCommand(flags), terminal);
  throw new PayrunError(
    'not-confirmed',
    'There is nobody at a terminal to confirm the total. Add --yes, and for a live service --confirm-total or --max-total.',
  );
}

/** Nobody is asked, so nobody is shown the plan: what was repaired or looks odd is still said before it is paid. */
function findingsOf({ drafted, plan, policy, view }: PlannedFile): string[] {
  const findings = [
    problemReport(drafted.questions, policy.skipInvalid),
    besidesPart(plan),
    view ? namesPart(view) : '',
  ];
  return findings.filter((text) => text !== '');
}

async function sayRefused(planned: PlannedFile, flags: Flags, kind: EnvironmentWord): Promise<void> {
  const setting = { file: flags.file, kind, remembers: true };
  if (flags.json) {
    const code =
      planned.exit === exitCode.fileInvalid ? 'file-invalid' : (planned.plan.guards[0]?.code ?? 'refused');
    const message =
      planned.plan.guards.map((guard) => guard.message).join('\n') ||
      'The file has problems: payrun validate shows them.';
    await printPieces([
      `${jsonText({ error: { code, message, exit: planned.exit }, plan: planDocument(planned, setting) })}\n`,
    ]);
    return;
  }
  const commands = {
    run: sameCommand(flags),
    plan: sameCommand(flags),
    skipInvalid: nextCommand('run', flags, '--skip-invalid'),
  };
  await printText(planReport(planned, { ...setting, commands, shown: 'refused' }));
}
