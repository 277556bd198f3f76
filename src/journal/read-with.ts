import type { JournalDatabase } from './journal-database.ts';
import { putValue, readValue } from './key-values.ts';

/** How the file of a batch was read: what a person had to say for it, and what its other rows had shown. */
export interface ReadWith {
  /** Each `--map` as typed. */
  readonly map?: readonly string[] | undefined;
  /** Each `--default` as typed. */
  readonly defaults?: readonly string[] | undefined;
  readonly decimal?: 'point' | 'comma' | undefined;
  readonly decimalCommaSeen?: boolean | undefined;
  readonly decimalPointSeen?: boolean | undefined;
}

/** A results or retry file has the columns of the file: it is read as that was. Inside a write of the journal. */
export function keepReadWith(db: JournalDatabase, batch: number, readWith: ReadWith): void {
  putValue(db, factKey(batch), JSON.stringify(readWith));
}

export function readWithOf(db: JournalDatabase, batch: number): ReadWith {
  return JSON.parse(readValue(db, factKey(batch)) ?? '{}') as ReadWith;
}

/** As words of a command. */
export function readWithWords({ map = [], defaults = [], decimal }: ReadWith): string[] {
  return [
    ...map.flatMap((each) => ['--map', each]),
    ...defaults.flatMap((each) => ['--default', each]),
    ...(decimal === undefined ? [] : ['--decimal', decimal]),
  ];
}

const factKey = (batch: number) => `read-with:${batch}`;
