import { environmentText } from '../../domain/environment/environment.ts';
import { exitCode } from '../../errors.ts';
import type { Decided, OnEvent } from '../../index.ts';
import { decisionDocument, decisionReport } from '../../report/decision-report.ts';
import { jsonText, terminalText } from '../../report/terminal-text.ts';
import type { DecisionFlags } from '../flags/decision-flags.ts';
import { nextBatchCommand } from '../flags/next-batch-command.ts';
import { printText } from './print.ts';

/** What everybody who decides must hear while it goes on. */
export const sayNotices: OnEvent = (event) => {
  if (event.kind === 'notice') process.stderr.write(terminalText(`${event.message}\n`));
};

/** What was decided, and what to do next. */
export async function sayDecided(
  decided: Decided,
  done: string,
  word: string,
  flags: DecisionFlags,
  next?: string | undefined,
): Promise<void> {
  const resume = decided.goesOn ? nextBatchCommand('resume', decided.batch, flags) : undefined;
  const outcome = {
    ...decided,
    place: `${word}  ${environmentText(decided.environment)}`,
    done,
    next: decided.moved === 0 ? undefined : (next ?? resume),
  };
  await printText(flags.json ? jsonText(decisionDocument(outcome)) : decisionReport(outcome));
  process.exitCode = decided.left.length > 0 ? exitCode.someNotPaid : exitCode.ok;
}
