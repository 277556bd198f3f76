import { createWriteStream, realpathSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { neutralise } from '../domain/text/formula-mark.ts';
import { exitCode, PayrunError } from '../errors.ts';
import type { DraftedFile } from '../pipeline/draft-file.ts';
import { problemDocument } from '../report/problem-document.ts';
import type { FileFlags } from './file-flags.ts';

/** What `--save-map` and `--problems` ask for besides the report. Returns what to say about it. */
export async function writeSideFiles(
  flags: Pick<FileFlags, 'file' | 'save-map' | 'problems'>,
  { reading, questions }: DraftedFile,
): Promise<string> {
  const said: string[] = [];
  const { 'save-map': mapPath, problems: problemsPath } = flags;
  if (mapPath !== undefined) {
    const { savedColumns = {}, defaults = {} } = reading.header ?? {};
    saveMap(mapPath, flags.file, { columns: savedColumns, defaults });
    said.push(
      `The columns are saved in ${mapPath}: use them with --config ${mapPath}, or copy them into the configuration of the workspace.`,
    );
  }
  if (problemsPath !== undefined) {
    await writeProblems(problemsPath, flags.file, questions);
    said.push(`The problems are in ${problemsPath}.`);
  }
  return said.join('\n');
}

/** Never over a file that is there: it may be the configuration of another payroll. */
function saveMap(path: string, input: string, mapping: object): void {
  refuseInput('--save-map', path, input);
  try {
    writeFileSync(path, `${JSON.stringify(mapping, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const why = isThere ? 'it is already there; choose another name, or remove it' : (error as Error).message;
    throw cannotWrite('--save-map', path, why);
  }
}

async function writeProblems(
  path: string,
  input: string,
  questions: DraftedFile['questions'],
): Promise<void> {
  refuseInput('--problems', path, input);
  const columns = ['line', 'column', 'code', 'blocking', 'message', 'value'] as const;
  const rows = function* () {
    for (const problem of questions.problems()) {
      const shown = problemDocument(problem);
      yield columns.map((column) => neutralise(String(shown[column] ?? '')));
    }
  };
  try {
    await pipeline(
      Readable.from(rows()),
      stringify({ header: true, columns: [...columns], bom: true }),
      createWriteStream(path, { mode: 0o600 }),
    );
  } catch (error) {
    throw cannotWrite('--problems', path, (error as Error).message);
  }
}

/** The plan as JSON, for approvals and for comparing. */
export function writePlan(path: string, input: string, document: unknown): void {
  refuseInput('--out', path, input);
  try {
    writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw cannotWrite('--out', path, (error as Error).message);
  }
}

/** A slip of the keyboard must not cost the payroll. */
function refuseInput(flag: string, path: string, input: string): void {
  if (input !== '-' && realPath(path) === realPath(input)) {
    throw new PayrunError(
      'usage',
      exitCode.usage,
      `${flag} names the payroll file itself; it would be overwritten.`,
    );
  }
}

function realPath(path: string): string | symbol {
  try {
    return realpathSync(path);
  } catch {
    return Symbol(path);
  }
}

function cannotWrite(flag: string, path: string, why: string): PayrunError {
  return new PayrunError('cannot-write', exitCode.cannotCreate, `${flag} cannot write ${path}: ${why}.`);
}
