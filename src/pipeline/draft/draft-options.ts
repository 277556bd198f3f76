import type { ConfiguredBanks } from '../../domain/row/parse-bank-code.ts';
import type { DecimalMark } from '../../file/rows/amount-sums.ts';

export interface ReadRowsOptions {
  /** `--encoding`; without it the bytes decide. */
  readonly encoding?: string | undefined;
  /** `--delimiter`: the sign or its name; without it the header decides. */
  readonly delimiter?: string | undefined;
  /** `--decimal`; without it the amounts decide. */
  readonly decimal?: DecimalMark | undefined;
  /** Each `--map` as typed: `Net Pay=amount`. */
  readonly map?: readonly string[] | undefined;
  /** Each `--default` as typed: `country=KE`. */
  readonly defaults?: readonly string[] | undefined;
  /** What the config says, in force where the flags are silent. */
  readonly config?:
    | {
        readonly columns?: Readonly<Record<string, string>> | undefined;
        readonly defaults?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
  /** Nobody wants to know any more. */
  readonly signal?: AbortSignal | undefined;
  /** Whether anybody asks which bytes the file is made of: to say it takes a part of Node that is slow to load. */
  readonly withDigest?: boolean | undefined;
}

export interface ValidateOptions {
  readonly decimal?: DecimalMark | undefined;
  readonly banks: ConfiguredBanks;
  /** One number may stand under this many names. */
  readonly allowShared: number;
}

export interface DraftOptions extends ReadRowsOptions, ValidateOptions {
  /** `--batch`, with its pattern unfilled. */
  readonly batch: string | undefined;
  /** The batch's name where nothing else gives one; without it that is a usage error. */
  readonly batchOtherwise?: string | undefined;
  /** Nobody will accept it: what only acceptance needs is left out. */
  readonly isOnlyChecked?: boolean | undefined;
  /** Asked for where a date is shown. */
  readonly timeZone: () => string;
  readonly nowMs: number;
  readonly repeatWindowMs: number;
}
