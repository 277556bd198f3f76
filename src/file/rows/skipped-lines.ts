import { readableText } from '../../domain/text/readable-text.ts';

export type SkipReason =
  | 'separator line'
  | 'title'
  | 'blank'
  | 'ruler'
  | 'repeated header'
  | 'control total'
  | 'count'
  | 'footer';

export interface SkippedLine {
  readonly line: number;
  readonly reason: SkipReason;
  readonly text: string;
}

const maxLinesKept = 1000;

/** The lines that are no rows, and why: what is passed over is named. */
export class SkippedLines {
  readonly counts: Partial<Record<SkipReason, number>> = {};

  readonly #kept: SkippedLine[] = [];

  /** Lines held back as possible totals are named later than the blank ones between them. */
  get inOrder(): readonly SkippedLine[] {
    return [...this.#kept].sort((one, other) => one.line - other.line);
  }

  add(line: number, reason: SkipReason, cells: readonly string[]): void {
    this.counts[reason] = (this.counts[reason] ?? 0) + 1;
    if (this.#kept.length >= maxLinesKept) return;
    const text = cells
      .map((cell) => cell.trim())
      .filter((cell) => cell !== '')
      .slice(0, 20)
      .join(' ');
    this.#kept.push({ line, reason, text: readableText(text) });
  }
}
