import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { BatchRecord } from '../../journal/batch-record.ts';
import type { OnEvent } from '../run/run-events.ts';

/**
 * Where the results of a batch go: to the place it began with, for a batch has one results file. Only where that folder
 * is gone may a person name another; the journal is told where it is accepted.
 */
export function chooseResultsPath(
  { name, resultsPath }: Pick<BatchRecord, 'name' | 'resultsPath'>,
  given: string | undefined,
  onEvent: OnEvent,
): string {
  const wanted = given === undefined ? resultsPath : resolve(given);
  if (wanted === resultsPath) return resultsPath;
  const folder = dirname(resultsPath);
  if (existsSync(folder)) {
    const message = `The results of batch ${name} stay where they are: ${resultsPath}`;
    onEvent({ kind: 'notice', message, answers: true });
    return resultsPath;
  }
  onEvent({
    kind: 'notice',
    answers: true,
    message: `${folder} is gone: the results of batch ${name} go to ${wanted} from now on`,
  });
  return wanted;
}
