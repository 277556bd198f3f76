import { exitCode } from '../../errors.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { validationPieces } from '../../report/validation-document.ts';
import { validationReport } from '../../report/validation-report.ts';
import { type FileFlags, fileFlags, fileOptions, sourceOf, withFile } from '../flags/file-flags.ts';
import { jsonFlag } from '../flags/flag-kinds.ts';
import { nextCommand } from '../flags/next-command.ts';
import { type WorkspaceFlags, workspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { setV8Flags } from '../setup/v8-flags.ts';
import { printPieces, printText } from '../terminal/print.ts';
import { writeExtraFiles } from '../terminal/write-extra-files.ts';
import type { Command } from './command.ts';

export const validateCommand: Command<FileFlags & WorkspaceFlags & { json: boolean }> = {
  builder: (yargs) => withFile(yargs).options({ ...fileFlags, ...workspaceFlags, json: jsonFlag }),
  handler: async (flags) => {
    setV8Flags();
    const options = fileOptions(flags);
    return withPayrun(await payrunOf(flags), async (payrun) => {
      const drafted = await payrun.validate(sourceOf(flags.file), options);
      const said = await writeExtraFiles(flags, drafted);
      for (const each of said) process.stderr.write(terminalText(`${each}\n`));
      if (flags.json) await printPieces(validationPieces(drafted.questions, flags.file));
      else {
        const commands = {
          plan: nextCommand('plan', flags),
          validate: nextCommand('validate', flags),
          skipInvalid: nextCommand('plan', flags, '--skip-invalid'),
        };
        await printText(validationReport(drafted, flags.file, commands));
      }
      process.exitCode = drafted.questions.counts().blocking === 0 ? exitCode.ok : exitCode.fileInvalid;
    });
  },
};
