import { existsSync } from 'node:fs';
import type { CommandModule } from 'yargs';
import { type JournalDatabase, openEmptyJournal, openJournal } from '../../journal/open-journal.ts';
import { planFile } from '../../pipeline/plan-file.ts';
import { planDocument } from '../../report/plan-document.ts';
import { planReport } from '../../report/plan-report.ts';
import { jsonText, terminalText } from '../../report/terminal-text.ts';
import { journalPath } from '../../workspace.ts';
import { sourceOf, withFileFlags } from '../flags/file-flags.ts';
import { nextCommand } from '../flags/next-command.ts';
import { type PlanFlags, planOptions, withPlanFlags } from '../flags/plan-flags.ts';
import { withPolicyFlags } from '../flags/policy-flags.ts';
import { refuseRepeated } from '../flags/refuse-repeated-flags.ts';
import { findWorkspace, withWorkspaceFlags } from '../flags/workspace-flags.ts';
import { askedOf, connect, environmentKind, environmentWord } from '../setup/connect.ts';
import { keepMemoryFlat } from '../setup/v8-flags.ts';
import { printPieces, printText } from '../terminal/print.ts';
import { writePlan, writeSideFiles } from '../terminal/write-extra-files.ts';

interface Flags extends PlanFlags {
  json: boolean;
  out: string | undefined;
  'check-names': boolean;
}

export const planCommand: CommandModule<object, Flags> = {
  command: 'plan <file>',
  describe: 'Show what paying a file would do. Writes nothing at the service',
  builder: (yargs) =>
    withPlanFlags(withWorkspaceFlags(withPolicyFlags(withFileFlags(yargs))))
      .option('check-names', {
        type: 'boolean',
        default: false,
        describe: 'Ask the service whose accounts they are',
      })
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
      .option('out', { type: 'string', describe: 'Write the plan as JSON to this file' }),
  handler: async (flags) => {
    keepMemoryFlat();
    const workspace = findWorkspace(flags);
    const options = { ...planOptions(flags, workspace.config), checkNames: flags['check-names'] };
    refuseRepeated(flags, 'out');
    const kind = environmentKind(flags.sandbox, workspace.config);
    const source = sourceOf(flags.file);
    const { db, remembers } = openMemory(journalPath(workspace.path, kind ?? 'live'));
    const statePlace = workspace.exists ? workspace.path : undefined;
    const connection = kind && (await connect(flags.sandbox, statePlace, workspace.config));
    try {
      const planned = await planFile(db, source, connection && askedOf(connection), options);
      const setting = { file: flags.file, kind: kind ? environmentWord[kind] : null, remembers };
      const document = planDocument(planned, setting);
      if (flags.out !== undefined) await writePlan(flags.out, flags.file, document);
      const said = await writeSideFiles(flags, planned.drafted);
      if (said !== '') process.stderr.write(terminalText(`${said}\n`));
      if (flags.json) await printPieces([`${jsonText(document)}\n`]);
      else {
        const commands = {
          run: nextCommand('run', flags),
          plan: nextCommand('plan', flags),
          skipInvalid: nextCommand('plan', flags, '--skip-invalid'),
        };
        await printText(planReport(planned, { ...setting, commands }));
      }
      process.exitCode = planned.exit;
    } finally {
      await connection?.close();
      db.close();
    }
  },
};

/** A plan makes no journal: where there is none, it says that it knows no earlier payments. */
function openMemory(path: string): { db: JournalDatabase; remembers: boolean } {
  const remembers = existsSync(path);
  return { db: remembers ? openJournal(path) : openEmptyJournal(), remembers };
}
