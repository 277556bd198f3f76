import type { InferredOptionTypes } from 'yargs';
import { planDocument } from '../../report/plan-document.ts';
import { planReport } from '../../report/plan-report.ts';
import { jsonText, terminalText } from '../../report/terminal-text.ts';
import { sourceOf, withFile } from '../flags/file-flags.ts';
import { jsonFlag, switchFlag, textFlag } from '../flags/flag-kinds.ts';
import { nextCommand } from '../flags/next-command.ts';
import { planCommand as runByPlan, shapingFlags } from '../flags/plan-file-flags.ts';
import { type PlanFlags, planFlags, planOptions, planSettings } from '../flags/plan-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { setV8Flags } from '../setup/v8-flags.ts';
import { printPieces, printText } from '../terminal/print.ts';
import { writeExtraFiles, writePlan } from '../terminal/write-extra-files.ts';
import type { Command } from './command.ts';

const options = {
  ...planFlags,
  'check-names': switchFlag('Ask the service for the name of every account'),
  json: jsonFlag,
  out: textFlag('Write the plan to this file, as JSON'),
};

type Flags = PlanFlags & InferredOptionTypes<typeof options>;

export const planCommand: Command<Flags> = {
  builder: (yargs) => withFile(yargs).options(options),
  handler: async (flags) => {
    setV8Flags();
    const planning = { ...planOptions(flags), checkNames: flags['check-names'] };
    const opened = await payrunOf(flags, planSettings(flags));
    const source = sourceOf(flags.file);
    return withPayrun(opened, async (payrun) => {
      // A plan that is to be paid is made where it is paid: the sandbox of no workspace ends with the command.
      if (flags.out !== undefined && flags.sandbox) await payrun.init();
      const remembers = payrun.remembers();
      const planned = await payrun.plan(source, planning);
      const options = shapingFlags(flags);
      const setting = { file: flags.file, kind: opened.kind ? opened.word : null, remembers, options };
      const document = planDocument(planned, setting);
      if (flags.out !== undefined) await writePlan(flags.out, flags.file, document);
      const said = await writeExtraFiles(flags, planned.drafted);
      if (said !== '') process.stderr.write(terminalText(`${said}\n`));
      if (flags.json) await printPieces([`${jsonText(document)}\n`]);
      else {
        const commands = {
          run: flags.out === undefined ? nextCommand('run', flags) : runByPlan({ ...flags, plan: flags.out }),
          plan: nextCommand('plan', flags),
          skipInvalid: nextCommand('plan', flags, '--skip-invalid'),
        };
        await printText(planReport(planned, { ...setting, commands }));
      }
      process.exitCode = planned.exit;
    });
  },
};
