import { Readable } from 'node:stream';
import { PayrunError } from '../../../src/errors.ts';
import type { JournalDatabase } from '../../../src/journal/journal-database.ts';
import type { DraftOptions } from '../../../src/pipeline/draft/draft-options.ts';
import { draftFile } from '../../../src/pipeline/draft-file.ts';
import { terminalText } from '../../../src/report/terminal-text.ts';
import { validationPieces } from '../../../src/report/validation-document.ts';
import { validationReport } from '../../../src/report/validation-report.ts';
import type { Violation } from '../oracle.ts';
import { timeLimit } from '../time-limit.ts';
import { hundredthsOf } from './naive-sums.ts';
import { telltaleIn } from './telltale.ts';

export interface HostileFile {
  /** What replays it. */
  readonly replay: string;
  readonly bytes: Buffer;
  /** What it must add up to if it is called sound; undefined where nobody can know. */
  readonly sums: ReadonlyMap<string, bigint> | undefined;
  /** It is sound by the way it was made, and must be called so. */
  readonly sound?: boolean;
}

/** Nothing that a file of some kilobytes asks for takes this long. */
const longestMs = 120_000;

const options: DraftOptions = {
  banks: {},
  allowShared: 0,
  batch: undefined,
  batchOtherwise: 'unnamed',
  timeZone: () => 'UTC',
  nowMs: Date.UTC(2026, 10, 12, 8),
  repeatWindowMs: 5 * 24 * 3_600_000,
};

/** Reads and judges a file as `validate` does, in this process, and holds what would be said against what can be known. */
export async function judgeFile(db: JournalDatabase, file: HostileFile): Promise<readonly Violation[]> {
  try {
    return (
      (await timeLimit(longestMs, validate(db, file))) ?? [
        { kind: 'stuck', ...told(file, `took longer than ${longestMs} ms`) },
      ]
    );
  } catch (error) {
    // What stops the command is foreseen and said; anything else would be exit 1 and a stack.
    if (error instanceof PayrunError)
      return file.sound ? [{ kind: 'lie', ...told(file, error.message) }] : [];
    return [{ kind: 'crash', ...told(file, String((error as Error).stack ?? error)) }];
  }
}

async function validate(db: JournalDatabase, file: HostileFile): Promise<Violation[]> {
  const source = Readable.from([
    file.bytes.subarray(0, file.bytes.length >> 1),
    file.bytes.subarray(file.bytes.length >> 1),
  ]);
  const drafted = await draftFile(db, source, options);
  try {
    const commands = { plan: 'plan', validate: 'validate', skipInvalid: 'skip' };
    const report = terminalText(validationReport(drafted, 'a.csv', commands));
    const document = [...validationPieces(drafted.questions, 'a.csv')].join('');
    const { ok, totals } = JSON.parse(document) as { ok: boolean; totals: Record<string, string> };
    const violations: Violation[] = [];
    for (const text of [report, document]) {
      const found = telltaleIn(text);
      if (found !== undefined) violations.push({ kind: 'leak', ...told(file, found) });
    }
    if (file.sound && !ok)
      violations.push({ kind: 'lie', ...told(file, `a sound file is refused: ${report}`) });
    if (ok && file.sums && !agree(file.sums, totals))
      violations.push({
        kind: 'lie',
        ...told(file, `says ${JSON.stringify(totals)}; it adds up to ${[...file.sums].join(' ')}`),
      });
    return violations;
  } finally {
    drafted.draft.close();
  }
}

function agree(sums: ReadonlyMap<string, bigint>, totals: Readonly<Record<string, string>>): boolean {
  const said = Object.entries(totals);
  return (
    said.length === sums.size && said.every(([currency, text]) => hundredthsOf(text) === sums.get(currency))
  );
}

function told(
  { replay, bytes }: HostileFile,
  text: string,
): { readonly replay: string; readonly text: string } {
  return {
    replay,
    text: `${text.slice(0, 600)}; the file: ${JSON.stringify(bytes.toString('latin1').slice(0, 400))}`,
  };
}
