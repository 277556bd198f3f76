import type { Environment } from '../../domain/environment/environment.ts';
import { environmentChanges, environmentText } from '../../domain/environment/environment.ts';
import { changedParts, notRebound } from '../../domain/environment/other-environment.ts';
import { counted } from '../../domain/text/counted.ts';
import type { ErrorCode } from '../../error-codes.ts';
import { exitCode } from '../../errors.ts';
import type { Rebound } from '../../index.ts';
import { jsonText, terminalText } from '../../report/terminal-text.ts';
import { type DecisionFlags, decisionFlags, reasonFlag } from '../flags/decision-flags.ts';
import { batchName, jsonFlag } from '../flags/flag-kinds.ts';
import { nextBatchCommand } from '../flags/next-batch-command.ts';
import { workspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, requireService, withPayrun } from '../setup/payrun-of.ts';
import { printText } from '../terminal/print.ts';
import type { Command } from './command.ts';

type Flags = Omit<DecisionFlags, 'payment'>;

export const rebindCommand: Command<Flags> = {
  builder: (yargs) =>
    yargs
      .positional('batch', batchName)
      .options({ ...workspaceFlags, reason: decisionFlags.reason, json: jsonFlag }),
  handler: async (flags) => {
    const reason = reasonFlag(flags);
    const opened = await payrunOf(flags);
    return withPayrun(opened, async (payrun) => {
      // A name that is mistyped is said before anything else.
      await payrun.requireBatch(flags.batch);
      if (!flags.json) process.stderr.write(`${opened.word}\n`);
      requireService(opened);
      const { environment, ...rebound } = await payrun.rebind(flags.batch, reason);
      await say(rebound, environment, flags);
    });
  },
};

async function say({ kind, batch, sent }: Rebound, now: Environment, flags: Flags): Promise<void> {
  if (kind === 'unproven') {
    const message = notRebound(batch, sent);
    const exit = exitCode.guardRefused;
    process.exitCode = exit;
    const code: ErrorCode = 'rebind-unproven';
    const document = { error: { code, message, exit }, missing: sent.first };
    if (flags.json) await printText(jsonText(document));
    else process.stderr.write(terminalText(`payrun: ${message}\n`));
    return;
  }
  const next = nextBatchCommand('resume', batch.name, flags);
  if (flags.json) {
    const changed = environmentChanges(batch.environment, now);
    const rebound = kind === 'rebound';
    await printText(jsonText({ batch: batch.name, rebound, changed, found: sent.found, next }));
    return;
  }
  const text =
    kind === 'same'
      ? `Batch ${batch.name} belongs to ${environmentText(now)} already. Nothing was changed.`
      : `Batch ${batch.name} belongs to ${environmentText(now)} now${whatChanged(batch.environment, now)}. ${foundText(sent.found)} Nothing was sent.\nNext: ${next}`;
  await printText(text);
}

function whatChanged(was: Environment, now: Environment): string {
  const changed = changedParts(was, now);
  return changed === '' ? '' : `: ${changed}`;
}

function foundText(found: number): string {
  if (found === 0) return 'Nothing of it was sent before.';
  return found === 1
    ? 'The one payout that was sent is found there.'
    : `All ${counted(found, 'payout')} that were sent are found there.`;
}
