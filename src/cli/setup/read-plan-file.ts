import { PayrunError } from '../../errors.ts';
import { type PlanFile, planFileOf } from '../../report/plan-file.ts';
import { readSmallFile } from '../../storage/trusted-file.ts';

const mostBytes = 16 * 1024 * 1024;

/** The plan in a file, and the text that it was made of. */
export function readPlanFile(path: string): PlanFile & { readonly text: string } {
  const text = readTextFile('plan', path, mostBytes);
  try {
    return { ...planFileOf(text), text };
  } catch (error) {
    if (!(error instanceof PayrunError)) throw error;
    throw new PayrunError(error.code, `${path}: ${error.message}`);
  }
}

export function readTextFile(what: string, path: string, most = 64 * 1024): string {
  try {
    return readSmallFile(path, most);
  } catch (error) {
    throw new PayrunError('file-missing', `The ${what} cannot be read: ${(error as Error).message}.`);
  }
}
