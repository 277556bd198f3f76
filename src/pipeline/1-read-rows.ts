import type { Readable } from 'node:stream';
import { ByteDecoder } from '../file/bytes/byte-decoder.ts';
import {
  type DetectedEncoding,
  detectEncoding,
  type Encoding,
  encodingNamed,
  previewText,
} from '../file/bytes/encoding.ts';
import { binary, type FileKind, recogniseFileKind, recogniseTextKind } from '../file/bytes/file-kind.ts';
import { type OpenSource, openSource } from '../file/bytes/open-source.ts';
import { FileReading, type ReadText } from '../file/file-reading.ts';
import {
  type ColumnChoice,
  columnChoicesOfConfig,
  columnChoicesOfFlags,
  defaultsOfConfig,
  defaultsOfFlags,
} from '../file/header/column-choice.ts';
import { readHeader } from '../file/header/file-header.ts';
import { chosenNames } from '../file/header/find-header.ts';
import type { MappingChoices } from '../file/header/map-columns.ts';
import { readPreamble } from '../file/header/read-preamble.ts';
import { ProblemLog } from '../file/problem-log.ts';
import type { DecimalMark } from '../file/rows/amount-sums.ts';
import { delimiterNamed, detectDelimiter } from '../file/rows/detect-delimiter.ts';
import { RecordScanner } from '../file/rows/record-scanner.ts';
import { recordsOf } from '../file/rows/records.ts';
import { SkippedLines } from '../file/rows/skipped-lines.ts';
import { TableReader } from '../file/rows/table-reader.ts';
import type { ReadRowsOptions } from './draft/draft-options.ts';

export type { FileReading } from '../file/file-reading.ts';

/** Stage 1: the file as rows. What is wrong with it is told as problems; only a file that cannot be opened throws. */
export async function readRows(
  source: string | Readable,
  options: ReadRowsOptions = {},
): Promise<FileReading> {
  const wishes = wishesOf(options);
  const open = await openSource(source, options);
  try {
    const problems = new ProblemLog();
    const dialect = recognise(open.prefix, wishes);
    if ('code' in dialect) {
      problems.add(dialect.code, { line: 0, message: dialect.message });
      return new FileReading(open, problems);
    }
    return await readTable(open, dialect, wishes, problems);
  } catch (error) {
    open.close();
    throw error;
  }
}

interface Wishes {
  readonly encoding: Encoding | undefined;
  readonly delimiter: string | undefined;
  readonly decimal: DecimalMark | undefined;
  readonly columns: readonly ColumnChoice[];
  readonly mapping: MappingChoices;
}

interface Dialect {
  readonly detected: DetectedEncoding;
  readonly delimiter: string;
}

function wishesOf(options: ReadRowsOptions): Wishes {
  const flags = columnChoicesOfFlags(options.map ?? []);
  const config = columnChoicesOfConfig(options.config?.columns ?? {});
  return {
    encoding: options.encoding === undefined ? undefined : encodingNamed(options.encoding),
    delimiter: options.delimiter === undefined ? undefined : delimiterNamed(options.delimiter),
    decimal: options.decimal,
    columns: [...flags, ...config],
    mapping: {
      flags,
      config,
      flagDefaults: defaultsOfFlags(options.defaults ?? []),
      configDefaults: defaultsOfConfig(options.config?.defaults ?? {}),
    },
  };
}

function recognise(prefix: Buffer, wishes: Wishes): Dialect | FileKind {
  const kind = recogniseFileKind(prefix);
  if (kind) return kind;
  const detected = detectEncoding(prefix, wishes.encoding);
  if (!detected) return binary;
  const preview = previewText(prefix, detected);
  const textKind = recogniseTextKind(preview);
  if (textKind) return textKind;
  return { detected, delimiter: wishes.delimiter ?? detectDelimiter(preview, wishes.columns) };
}

async function readTable(
  open: OpenSource,
  { detected, delimiter }: Dialect,
  wishes: Wishes,
  problems: ProblemLog,
): Promise<FileReading> {
  const watch = new RecordScanner(delimiter, problems);
  const decoder = new ByteDecoder(detected, problems, watch);
  const records = recordsOf(open.bytes, delimiter, decoder, watch);
  const skipped = new SkippedLines();
  const top = await readPreamble(records, wishes.columns, skipped, problems);
  const text: ReadText = { decoder, delimiter, watch, skipped };
  if (!top.header) return new FileReading(open, problems, text);
  const known = { encoding: decoder.encoding, delimiter, skippedAbove: skipped.inOrder };
  const blockingAbove = problems.counts.blocking;
  const read = readHeader(top.header, known, wishes.mapping, problems, top.below);
  if (problems.counts.blocking > blockingAbove) return new FileReading(open, problems, text, read.header);
  const chosen = chosenNames(wishes.columns);
  const table = new TableReader(read, { skipped, problems, watch, decimal: wishes.decimal, chosen });
  return new FileReading(open, problems, text, read.header, { ...top, table, records });
}
