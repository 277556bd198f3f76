import { lstatSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { neutralise } from '../../domain/text/formula-mark.ts';
import { pathTrouble } from '../../domain/text/path-trouble.ts';
import { PayrunError } from '../../errors.ts';
import type { DraftedFile } from '../../index.ts';
import { problemDocument } from '../../report/problem-document.ts';
import { type StagedFile, stageFile } from '../../storage/staged-file.ts';
import type { FileFlags } from '../flags/file-flags.ts';
import { usageError } from '../flags/usage-error.ts';

/** What `--save-map` and `--problems` ask for besides the report. Returns what to say about them, each in a line. */
export async function writeExtraFiles(
  flags: Pick<FileFlags, 'file' | 'save-map' | 'problems'>,
  { reading, questions }: DraftedFile,
): Promise<string[]> {
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
  return said;
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
  const columns = ['line', 'column', 'code', 'blocking', 'message', 'value'] as const;
  const lines = function* () {
    yield stringify([columns], { bom: true });
    for (const problem of questions.problems()) {
      const shown = problemDocument(problem);
      yield stringify([columns.map((column) => neutralise(String(shown[column] ?? '')))]);
    }
  };
  await writeWhole('--problems', path, input, lines());
}

/** The plan as JSON, for approvals and for comparing. */
export async function writePlan(path: string, input: string, document: unknown): Promise<void> {
  await writeWhole('--out', path, input, [`${JSON.stringify(document, null, 2)}\n`]);
}

/** What a person has signed, beside the plan. */
export async function writeApproval(path: string, plan: string, text: string): Promise<void> {
  await writeWhole('--out', path, plan, [text]);
}

/**
 * Whole or not at all, and readable by nobody else: names, numbers and salaries go in. Moved into its place and never
 * written through what stands there, which may have readers of its own.
 */
async function writeWhole(
  flag: string,
  path: string,
  input: string,
  pieces: Iterable<string>,
): Promise<void> {
  refuseInput(flag, path, input);
  let staged: StagedFile | undefined;
  try {
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there && !there.isFile())
      throw new Error(
        there.isSymbolicLink()
          ? 'it is a symbolic link, and what it leads to may be anything'
          : 'it is not an ordinary file',
      );
    staged = await stageFile(dirname(path), path);
    for (const piece of pieces) await staged.write(piece);
    await staged.finish();
    await staged.moveTo(path);
  } catch (error) {
    throw cannotWrite(flag, path, pathTrouble(error, dirname(path)));
  } finally {
    await staged?.discard();
  }
}

/** A slip of the keyboard must not cost the payroll. */
function refuseInput(flag: string, path: string, input: string): void {
  if (input !== '-' && realPath(path) === realPath(input)) {
    throw usageError(`${flag} names the file itself that is read; it would be overwritten.`);
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
  return new PayrunError('cannot-write', `${flag} cannot write ${path}: ${why}.`);
}
