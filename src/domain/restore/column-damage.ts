import { exponent } from './number-damage.ts';
import { type ComparedCell, isPayeeColumn } from './spreadsheet-restore.ts';

/**
 * Which columns of a file show damage as a spreadsheet does it: to every cell that it takes for a number. A person who
 * corrects a number leaves those of the other rows alone. Of one cell alone nobody can tell.
 */
export class ColumnDamage {
  readonly #columns = new Map<number, Counted>();

  add(cells: readonly ComparedCell[]): void {
    for (const [index, cell] of cells.entries()) {
      if (!isPayeeColumn(cell.column)) continue;
      const counted = this.#columns.get(index) ?? { damaged: 0, shortened: false, plain: false, long: false };
      if (cell.damaged) {
        counted.damaged += 1;
        counted.shortened ||= exponent.test(cell.now);
      } else if (cell.now === cell.was) {
        counted.plain ||= losesItsBeginning.test(cell.was.trim());
        counted.long ||= isShortened.test(cell.was.trim());
      }
      this.#columns.set(index, counted);
    }
  }

  isWhole(index: number): boolean {
    const counted = this.#columns.get(index);
    if (!counted || counted.damaged < fewest) return false;
    return !counted.plain && !(counted.shortened && counted.long);
  }
}

interface Counted {
  damaged: number;
  /** Some cell was written as 2.54708E+11. */
  shortened: boolean;
  /** And some cell stands as it was that a spreadsheet would have changed. */
  plain: boolean;
  long: boolean;
}

const fewest = 2;
const losesItsBeginning = /^[+0]\d+$/;
const isShortened = /^\d{12,}$/;
