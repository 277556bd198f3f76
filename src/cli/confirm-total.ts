import { createInterface } from 'node:readline/promises';
import { decimalOf, showMoney } from '../domain/show-money.ts';
import { type ExitCode, exitCode, PayrunError } from '../errors.ts';
import { toSendNow } from '../pipeline/3-plan-batch.ts';
import type { PlannedFile } from '../pipeline/plan-file.ts';
import { planReport } from '../report/plan-report.ts';
import { terminalText } from '../report/terminal-text.ts';
import type { Interrupts } from './interrupts.ts';

/** Where the question is asked and answered, and what may come instead of an answer. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly interrupts: Pick<Interrupts, 'signal' | 'exit'>;
}

/** Shows the plan and has what will be sent typed in: a yes is said too easily. */
export async function confirmAtTerminal(
  planned: PlannedFile,
  kind: 'SANDBOX' | 'TEST' | 'LIVE',
  command: string,
  terminal: Terminal,
): Promise<boolean> {
  const report = planReport(planned, {
    file: planned.drafted.fileName,
    kind,
    remembers: true,
    commands: { run: command, plan: command, skipInvalid: command },
    shown: 'before-question',
  });
  terminal.output.write(terminalText(`${report}\n\n`));
  for (const [currency, toSendMinor] of toSendNow(planned.plan)) {
    const typed = await ask(`To pay ${showMoney(toSendMinor, currency)}, type the amount: `, terminal);
    const plain = typed?.replace(/[,\s]/g, '').replace(new RegExp(`^${currency}`, 'i'), '');
    const wanted = decimalOf(toSendMinor, currency);
    if (plain !== wanted && plain !== wanted.replace(/\.0+$/, '')) return false;
  }
  return true;
}

/** Undefined where the input ended instead (Ctrl-D). Ctrl-C is no answer either, and has an exit code of its own. */
async function ask(question: string, terminal: Terminal): Promise<string | undefined> {
  const { input, output, interrupts } = terminal;
  const lines = createInterface({ input, output });
  const leave = new AbortController();
  let exit: ExitCode | undefined;
  lines.once('SIGINT', () => {
    exit = exitCode.interrupted;
    leave.abort();
  });
  lines.once('close', () => leave.abort());
  try {
    return await lines.question(question, { signal: AbortSignal.any([leave.signal, interrupts.signal]) });
  } catch (error) {
    if (!leave.signal.aborted && !interrupts.signal.aborted) throw error;
    output.write('\n');
    exit ??= interrupts.exit();
    if (exit !== undefined) throw notConfirmed(exit);
    return undefined;
  } finally {
    lines.close();
  }
}

function notConfirmed(exit: ExitCode): PayrunError {
  return new PayrunError('declined', exit, 'Not confirmed: nothing was accepted and nothing was sent.');
}
