import type { Problem, Repair } from '../problems/problem.ts';
import { type RowProblemCode, type RowRepairCode, rowProblems } from '../problems/row-problems.ts';
import type { Field } from '../row.ts';
import { readableText } from '../text/readable-text.ts';
import type { Cell } from './read-cell.ts';

/** Header text by field, for the problems' `column`. */
export type Columns = Readonly<Partial<Record<Field, string>>>;

/** Collects all that was found in one row, so that a person sees every problem at once and not the first only. */
export class RowFindings {
  readonly problems: Problem[] = [];
  readonly #line: number;
  readonly #columns: Columns;
  readonly #mended: { readonly field: Field; readonly repair: Repair }[] = [];
  readonly #refused: Field[] = [];

  constructor(line: number, columns: Columns) {
    this.#line = line;
    this.#columns = columns;
  }

  /** Returns undefined, so that a parser can say why it has no value in the line that returns none. */
  problem(code: RowProblemCode, cell: Cell, message: string, remedy?: string): undefined {
    const { blocking } = rowProblems[code];
    if (blocking) this.#refused.push(cell.field);
    this.problems.push({
      line: this.#line,
      column: this.#columns[cell.field] ?? cell.field,
      code,
      message,
      value: readableText(cell.raw),
      blocking,
      ...(remedy === undefined ? {} : { remedy }),
    });
    return undefined;
  }

  repair(code: RowRepairCode, cell: Cell, from: string, to: string, message: string): void {
    const repair: Repair = {
      line: this.#line,
      column: this.#columns[cell.field] ?? cell.field,
      code,
      message,
      from: readableText(from),
      to: readableText(to),
    };
    this.#mended.push({ field: cell.field, repair });
  }

  /** A cell that is refused after all was not repaired, whatever was tried. */
  get repairs(): Repair[] {
    return this.#mended.filter(({ field }) => !this.#refused.includes(field)).map(({ repair }) => repair);
  }

  get blocked(): boolean {
    return this.problems.some((problem) => problem.blocking);
  }
}
