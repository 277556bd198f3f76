import { writeFileSync } from 'node:fs';
import type { CommandModule } from 'yargs';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { showMoney } from '../domain/show-money.ts';
import { exitCode, PayrunError } from '../errors.ts';
import { askDraftPayees } from '../journal/draft-payees.ts';
import { openEmptyJournal, openJournal } from '../journal/open-journal.ts';
import { askJournal } from '../journal/plan-questions.ts';
import { planBatch } from '../pipeline/3-plan-batch.ts';
import { draftFile } from '../pipeline/draft-file.ts';
import { fundsGuards } from '../pipeline/funds.ts';
import { inspectService, readProfile, type ServiceView } from '../pipeline/inspect-service.ts';
import { planDocument } from '../report/plan-document.ts';
import { planReport } from '../report/plan-report.ts';
import { problemReport } from '../report/problem-report.ts';
import { journalPath, makeWorkspace } from '../workspace.ts';
import { amountFlags } from './amount-flags.ts';
import { connect, environmentKind } from './connect.ts';
import { enrolPeople } from './enrol-people.ts';
import { draftOptions, type FileFlags, saveMap, sourceOf, withFileFlags } from './file-flags.ts';
import { firstRepairs } from './problem-output.ts';
import { findWorkspace, type WorkspaceFlags, withWorkspaceFlags } from './workspace-flags.ts';

interface Flags extends FileFlags, WorkspaceFlags {
  file: string;
  json: boolean;
  out: string | undefined;
  notice: string | undefined;
  'check-names': boolean;
  'same-batch': boolean;
  'allow-repeats': number;
  'skip-invalid': boolean;
  reserve: string[];
}

export const planCommand: CommandModule<object, Flags> = {
  command: 'plan <file>',
  describe: 'Show what paying a file would do. Writes nothing at the service',
  builder: (yargs) =>
    withWorkspaceFlags(
      withFileFlags(
        yargs.positional('file', {
          type: 'string',
          demandOption: true,
          describe: 'A CSV file, or - for stdin',
        }),
      ),
    )
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
      .option('out', { type: 'string', describe: 'Write the plan as JSON to this file' })
      .option('notice', { type: 'string', describe: 'Change of an amount worth a word (25%)' })
      .option('check-names', {
        type: 'boolean',
        default: false,
        describe: 'Ask the service whose accounts they are',
      })
      .option('same-batch', {
        type: 'boolean',
        default: false,
        describe: 'An old batch is meant, not a new period',
      })
      .option('allow-repeats', {
        type: 'number',
        default: 0,
        describe: 'Let this many repeated payments through',
      })
      .option('skip-invalid', {
        type: 'boolean',
        default: false,
        describe: 'Plan to pay only the sound rows',
      })
      .option('reserve', {
        type: 'string',
        array: true,
        nargs: 1,
        default: [] as string[],
        describe: 'Leave this in a wallet: KES=500.00',
      }),
  handler: async (flags) => {
    const nowMs = systemClock.nowMs();
    const workspace = findWorkspace(flags);
    const { config } = workspace;
    const kind = environmentKind(flags.sandbox, config);
    if (flags.sandbox && !workspace.exists) makeWorkspace(workspace.path);
    const remembers = kind !== undefined && (workspace.exists || flags.sandbox);
    const db = remembers ? openJournal(journalPath(workspace.path, kind)) : openEmptyJournal();
    const connection = kind === undefined ? undefined : await connect(flags.sandbox, workspace.path, config);
    try {
      const options = draftOptions(flags, config, nowMs);
      const drafted = await draftFile(db, sourceOf(flags.file), options);
      const { header } = drafted.taken;
      if (flags['save-map'] !== undefined && header)
        saveMap(flags['save-map'], header.savedColumns, header.defaults);
      const account = connection && (await readProfile(connection.service, connection.place));
      const plan = planBatch(
        db,
        drafted.draft,
        drafted.questions,
        askJournal(db),
        drafted.batch,
        drafted.taken.keyKind,
        {
          nowMs,
          environment: account?.environment,
          repeatWindowMs: options.repeatWindowMs,
          allowRepeats: flags['allow-repeats'],
          sameBatch: flags['same-batch'],
          isPart: drafted.isPart,
          noticePercent: noticePercent(flags.notice, config),
          policies: { skipInvalid: flags['skip-invalid'] },
        },
      );
      const payees = askDraftPayees(db);
      if (connection?.control) await enrolPeople(connection.control, payees);
      const view =
        connection && account
          ? await inspectService(
              connection.service,
              account.profile,
              account.environment,
              payees,
              drafted.questions.totals('wallet', 'to-send'),
              {
                reserves: amountFlags('--reserve', flags.reserve),
                checkNames: flags['check-names'],
                concurrency: config.concurrency ?? 8,
              },
            )
          : undefined;
      const whole = { ...plan, guards: [...plan.guards, ...fundsGuards(view?.funds ?? [])] };
      const invalid = plan.blocking > 0 && !flags['skip-invalid'];
      const exit =
        whole.guards.length > 0 ? exitCode.guardRefused : invalid ? exitCode.fileInvalid : exitCode.ok;
      const document = planDocument(whole, view, { file: flags.file, exit, remembers });
      if (flags.out !== undefined) writePlan(flags.out, document);
      if (flags.json) process.stdout.write(`${JSON.stringify(document)}\n`);
      else {
        const repairs = firstRepairs(drafted.questions.repairs());
        const parts = [
          `${(kind ?? 'no service').toUpperCase()}${account ? `  ${account.environment}` : ''}`,
          problemReport(drafted.questions.problemGroups(), repairs.first, repairs.count),
          planReport(whole),
          view
            ? serviceReport(view)
            : 'No service is configured, so funds, payees and names were not looked at.',
          remembers
            ? ''
            : 'There is no workspace here: payrun knows no earlier payments and cannot tell whether these repeat one.',
          verdict(flags.file, exit, whole.digest),
        ];
        process.stdout.write(`${parts.filter((part) => part !== '').join('\n\n')}\n`);
      }
      process.exitCode = exit;
    } finally {
      await connection?.close();
      db.close();
    }
  },
};

function noticePercent(flag: string | undefined, config: Config): number {
  if (flag === undefined) return config.notice ?? 25;
  const value = /^(\d{1,4}(?:\.\d+)?)%?$/.exec(flag.trim());
  if (!value)
    throw new PayrunError(
      'bad-notice',
      exitCode.usage,
      `--notice takes a percentage such as 25%, not "${flag}".`,
    );
  return Number(value[1]);
}

function writePlan(path: string, document: unknown): void {
  try {
    writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new PayrunError(
      'cannot-write',
      exitCode.cannotCreate,
      `--out cannot write ${path}: ${(error as Error).message}.`,
    );
  }
}

function serviceReport({ funds, payees, names }: ServiceView): string {
  const lines = funds.map(({ wallet, currency, balanceMinor, neededMinor, estimated }) => {
    const holds = balanceMinor === undefined ? 'is not there' : `holds ${showMoney(balanceMinor, currency)}`;
    return `  the ${wallet} wallet ${holds}, needed ${estimated ? 'about ' : ''}${showMoney(neededMinor, currency)}`;
  });
  const people = `  ${payees.known} payees are stored at the service, ${payees.new} would be added`;
  const checked = names
    ? [
        `  names: ${Object.entries(names)
          .map(([verdict, count]) => `${count} ${verdict}`)
          .join(', ')}`,
      ]
    : [];
  return ['At the service:', ...lines, people, ...checked].join('\n');
}

function verdict(file: string, exit: number, digest: string): string {
  const plan = `Plan ${digest.slice(0, 16)}. Nothing was sent.`;
  if (exit === exitCode.ok) return `${plan}\nNext: payrun run ${file}`;
  if (exit === exitCode.fileInvalid)
    return `${plan}\nThe file has problems: mend them, or pay only the sound rows with --skip-invalid.`;
  return `${plan}\nA run would refuse to pay this; see above.`;
}
