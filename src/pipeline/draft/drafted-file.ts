import type { PaymentKey } from '../../domain/reference.ts';
import type { FileReading } from '../../file/file-reading.ts';
import type { Draft } from '../../journal/draft/draft.ts';
import type { DraftQueries } from '../../journal/draft/draft-queries.ts';
import type { ReadWith } from '../../journal/read-with.ts';
import type { ChosenBatch } from './choose-batch.ts';

/** A file taken in and judged: stages 1 and 2. */
export interface DraftedFile {
  readonly draft: Draft;
  readonly questions: DraftQueries;
  readonly reading: FileReading;
  /** Undefined for a file of ours, which is read as the file of its batch was. */
  readonly readWith: ReadWith | undefined;
  readonly fileName: string;
  readonly batch: ChosenBatch;
  readonly keyKind: PaymentKey['kind'];
  /** A retry file: a part of its batch that drops nothing. */
  readonly isPart: boolean;
}
