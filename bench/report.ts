import type { Measured } from './measure.ts';
import { type Spread, spreadOf } from './statistics.ts';

export interface BarResult {
  readonly group: string;
  readonly what: string;
  readonly rows: number;
  readonly rounds: number;
  readonly wanted: string;
  readonly isMet: boolean;
  readonly spread: Spread;
  /** The same of the calls and the journal alone, where that was measured: the middle of all rounds. */
  readonly limit?: number;
}

export interface ProgramResult {
  readonly group: string;
  readonly program: string;
  readonly rows: number;
  readonly measured: readonly Measured[];
}

/** For a terminal: what is wanted, and what came out, the middle of all rounds and how far they lay apart. */
export function barTable(results: readonly BarResult[]): string {
  const lines = results.map(({ group, what, rows, wanted, isMet, spread, limit = Number.NaN }) => [
    isMet ? 'met' : 'NOT MET',
    `${group}, ${rows} rows: ${what}`,
    wanted,
    `${shown(spread.median)} (${shown(spread.least)} to ${shown(spread.most)})`,
    shown(limit),
  ]);
  return columns([['', 'what', 'wanted', 'median (least to most)', 'limit'], ...lines]);
}

/** What a program took under some conditions, the middle of all rounds. */
export interface ProgramFigures {
  readonly group: string;
  readonly program: string;
  readonly rows: number;
  readonly rowsPerSecond: number;
  readonly cpuUsPerRow: number;
  readonly callsPerRow: number;
  /** Null where they cannot be counted here. */
  readonly commitsPerRow: number | null;
  readonly peakMib: number;
}

export function figuresOf({ group, program, rows, measured }: ProgramResult): ProgramFigures {
  const median = (pick: (each: Measured) => number) => spreadOf(measured.map(pick)).median;
  const commits = median(({ fsyncs }) => fsyncs ?? Number.NaN) / rows;
  return {
    group,
    program,
    rows,
    rowsPerSecond: median(({ rowsPerSecond }) => rowsPerSecond),
    cpuUsPerRow: median(({ cpuUs }) => cpuUs) / rows,
    callsPerRow: median(({ calls }) => calls) / rows,
    commitsPerRow: Number.isNaN(commits) ? null : commits,
    peakMib: median(({ peakKb }) => peakKb) / 1024,
  };
}

export const figureNames = [
  'conditions',
  'program',
  'rows',
  'rows/s',
  'CPU µs/row',
  'calls/row',
  'commits/row',
  'peak MiB',
] as const;

export function figureCells(figures: ProgramFigures): string[] {
  const { rowsPerSecond, cpuUsPerRow, callsPerRow, commitsPerRow, peakMib } = figures;
  const numbers = [rowsPerSecond, cpuUsPerRow, callsPerRow, commitsPerRow ?? Number.NaN, peakMib];
  return [figures.group, figures.program, String(figures.rows), ...numbers.map(shown)];
}

export function programTable(results: readonly ProgramResult[]): string {
  return columns([figureNames, ...results.map((result) => figureCells(figuresOf(result)))]);
}

/** One line a bar: how much of what is wanted was reached. */
export function barPlot(results: readonly BarResult[]): string {
  const height = 24;
  const left = 450;
  const width = 360;
  const lines = results.map(({ group, what, wanted, isMet, spread }, place) => {
    const bar = Number(wanted.replace(/[^\d.]/g, ''));
    const reached = wanted.startsWith('at most') ? bar / spread.median : spread.median / bar;
    const long = Math.min(1.5, Number.isFinite(reached) ? reached : 0) * (width / 1.5);
    const y = 40 + place * height;
    const label = escaped(`${group}: ${what} (${wanted})`);
    return [
      `<text x="${left - 8}" y="${y + 13}" text-anchor="end">${label}</text>`,
      `<rect x="${left}" y="${y}" width="${long.toFixed(1)}" height="${height - 8}" fill="${isMet ? '#2a7d4f' : '#b3541e'}"/>`,
      `<text x="${left + long + 6}" y="${y + 13}">${shown(spread.median)}</text>`,
    ].join('');
  });
  const bottom = 40 + results.length * height;
  const one = left + width / 1.5;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + 60}" height="${bottom + 20}" font-family="sans-serif" font-size="12">`,
    '<title>What is wanted, and what was reached</title>',
    `<text x="${one}" y="24" text-anchor="middle">as wanted</text>`,
    ...lines,
    `<line x1="${one}" x2="${one}" y1="30" y2="${bottom}" stroke="#444" stroke-dasharray="4 3"/>`,
    '</svg>',
    '',
  ].join('\n');
}

export function shown(value: number): string {
  if (Number.isNaN(value)) return '–';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, place) => Math.max(...rows.map((row) => row[place]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]) =>
    row
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd();
  return `${rows.map(line).join('\n')}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
