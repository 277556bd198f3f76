import { writeFileSync } from 'node:fs';
import type { InferredOptionTypes } from 'yargs';
import { chunksText } from '../../domain/text/chunks-text.ts';
import { counted } from '../../domain/text/counted.ts';
import { grouped } from '../../domain/text/grouped.ts';
import type { RunEvent, WorkTold } from '../../index.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { logPath } from '../../workspace.ts';
import { textFlag } from '../flags/flag-kinds.ts';
import { runFlags, runSettings } from '../flags/run-flags.ts';
import { workspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, requireService, withPayrun } from '../setup/payrun-of.ts';
import { requireWorkspace } from '../setup/require-workspace.ts';
import { watchInterrupts } from '../terminal/interrupts.ts';
import { withoutStages } from '../terminal/progress.ts';
import type { Command } from './command.ts';

const { concurrency, rate, timeout, 'quiet-period': quietPeriod, resends, lookup, quiet } = runFlags;

const options = {
  ...workspaceFlags,
  ...{ concurrency, rate, timeout, 'quiet-period': quietPeriod, resends, lookup, quiet },
  'health-file': textFlag('A file that is written every two seconds while all is well'),
};

type Flags = InferredOptionTypes<typeof options>;

export const workerCommand: Command<Flags> = {
  builder: (yargs) => yargs.options(options),
  handler: async (flags) => {
    const opened = await payrunOf(flags, runSettings(flags));
    requireService(
      opened,
      ', and PAYRUN_JOURNAL_URL; for a trial, payrun sandbox runs a service for all workers.',
    );
    requireWorkspace(opened, flags);
    return withPayrun(opened, async (payrun) => {
      const say = (text: string) => void (flags.quiet || process.stderr.write(terminalText(`${text}\n`)));
      const { openLog } = await import('../../logger.ts');
      const log = openLog(logPath(payrun.workspace), { command: 'worker' });
      const interrupts = watchInterrupts(undefined, say);
      const place = await payrun.journalPlace();
      try {
        await payrun.work({
          signal: interrupts.signal,
          onEvent: (event) => {
            withoutStages(log.onEvent)(event);
            if (isSaid(event)) say(event.message);
          },
          onWork: (told) => {
            const text =
              told.kind === 'ready'
                ? `${opened.word}  Working for batches of ${place}. Ctrl-C ends it.`
                : textOf(told);
            if (text !== undefined) say(text);
            if (told.kind === 'beat' && flags['health-file'] !== undefined)
              writeFileSync(
                flags['health-file'],
                `${JSON.stringify({ at: new Date(), doing: told.doing })}\n`,
              );
          },
        });
        say('Stopped. What was under way is done; others carry on with the rest.');
      } finally {
        interrupts.close();
        log.close();
      }
    });
  },
};

function isSaid(event: RunEvent): event is Extract<RunEvent, { message: string }> {
  return event.kind === 'notice' || event.kind === 'alarm';
}

function textOf(told: Exclude<WorkTold, { kind: 'ready' }>): string | undefined {
  switch (told.kind) {
    case 'beat':
      return undefined;
    case 'ended-others':
      return `${counted(told.count, 'worker')} did not answer any more and ${told.count === 1 ? 'was' : 'were'} ended: others carry on with what ${told.count === 1 ? 'it' : 'they'} had.`;
    case 'took':
      return `Batch ${told.batch}, ${chunksText(told.chunks)}: begun.`;
    case 'done': {
      const { batch, chunks, sends, left, stopped } = told;
      const rest = left === 0 ? 'done' : `${grouped(left)} not ended yet`;
      return `Batch ${batch}, ${chunksText(chunks)}: ${counted(sends, 'send')}, ${rest}.${stopped ? ` ${stopped.message}` : ''}`;
    }
  }
}
