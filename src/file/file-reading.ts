import { strict as assert } from 'node:assert';
import type { Problem } from '../domain/problems/problem.ts';
import type { DecimalStyle } from '../domain/row/read-decimal.ts';
import type { ByteDecoder } from './bytes/byte-decoder.ts';
import type { Encoding } from './bytes/encoding.ts';
import type { OpenSource } from './bytes/open-source.ts';
import type { FileHeader } from './header/file-header.ts';
import type { ProblemCounts, ProblemLog } from './problem-log.ts';
import type { DecimalMark } from './rows/amount-sums.ts';
import type { RecordScanner } from './rows/record-scanner.ts';
import type { FileRecord } from './rows/records.ts';
import type { ReadRow } from './rows/row-builder.ts';
import type { SkippedLine, SkippedLines, SkipReason } from './rows/skipped-lines.ts';
import type { ControlTotal, TableReader } from './rows/table-reader.ts';

/** A file being read. Rows stream once, many at a time; facts and problems are whole when the last row was taken. */
export class FileReading {
  /** Undefined where the file is no CSV file or has no line of column names. */
  readonly header: FileHeader | undefined;
  /** No rows come of a file whose header has a blocking problem: their values could be anything. */
  readonly pages: AsyncIterable<readonly ReadRow[]>;
  readonly #open: OpenSource;
  readonly #problems: ProblemLog;
  readonly #text: ReadText | undefined;
  readonly #body: ReadBody | undefined;
  #finished = false;

  constructor(open: OpenSource, problems: ProblemLog, text?: ReadText, header?: FileHeader, body?: ReadBody) {
    this.#open = open;
    this.#problems = problems;
    this.#text = text;
    this.header = header;
    this.#body = body;
    this.pages = this.#read();
    if (body) return;
    this.#finished = true;
    open.close();
  }

  /** In the order of the lines, at most 10,000 of either kind; what the header shows is there before the rows. */
  get problems(): readonly Problem[] {
    return this.#problems.all;
  }

  /** Known when all rows were read, and not before. */
  get facts(): FileFacts {
    assert(this.#finished, 'the facts of a file are known when all its rows were read');
    const { digest, isRead, byteCount } = this.#open;
    const table = this.#body?.table;
    return {
      complete: table !== undefined && isRead && this.#text?.watch.cutLine === undefined,
      rowCount: table?.rowCount ?? 0,
      byteCount,
      digest,
      encoding: this.#text?.decoder.encoding,
      delimiter: this.#text?.delimiter,
      decimalCommaSeen: table?.sums.decimalCommaSeen ?? false,
      decimalPointSeen: table?.sums.decimalPointSeen ?? false,
      sums: {
        point: table?.sums.sum('point').toString() ?? '0',
        comma: table?.sums.sum('comma').toString() ?? '0',
      },
      controlTotals: table?.controlTotals ?? [],
      skipped: this.#text?.skipped.inOrder ?? [],
      skippedCounts: this.#text?.skipped.counts ?? {},
      problemCounts: this.#problems.counts,
    };
  }

  async *#read(): AsyncGenerator<readonly ReadRow[]> {
    if (!this.#body) return;
    const { table, below, further, records } = this.#body;
    try {
      yield* table.pages(below, further, records);
      this.#finished = true;
    } finally {
      this.#open.close();
    }
  }
}

/** What only a file read to its end can tell. */
export interface FileFacts extends Pick<DecimalStyle, 'decimalCommaSeen' | 'decimalPointSeen'> {
  /** The whole file was read. Otherwise rows may be missing, and nothing of it can be paid. */
  readonly complete: boolean;
  readonly rowCount: number;
  readonly byteCount: number;
  /** SHA-256 of the file's bytes in hexadecimal; undefined where it was not read to its end, or is only checked. */
  readonly digest: string | undefined;
  readonly encoding: Encoding | undefined;
  readonly delimiter: string | undefined;
  /** The plain sum of the amount column, with doubtful separators read in either way. */
  readonly sums: Readonly<Record<DecimalMark, string>>;
  readonly controlTotals: readonly ControlTotal[];
  /** Lines that are no rows, the first thousand of them, and how many there are of each kind. */
  readonly skipped: readonly SkippedLine[];
  readonly skippedCounts: Readonly<Partial<Record<SkipReason, number>>>;
  /** All problems found, also those beyond the ones that are kept. */
  readonly problemCounts: ProblemCounts;
}

/** What reads the file's text. */
export interface ReadText {
  readonly decoder: ByteDecoder;
  readonly delimiter: string;
  readonly watch: RecordScanner;
  readonly skipped: SkippedLines;
}

/** What reads the rows below a sound header. */
export interface ReadBody {
  readonly table: TableReader;
  readonly below: readonly FileRecord[];
  readonly further: readonly FileRecord[];
  readonly records: AsyncGenerator<readonly FileRecord[]>;
}
