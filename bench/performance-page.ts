import { type BarResult, figureCells, figureNames, type ProgramFigures, shown } from './report.ts';

/** The page with the tables of a whole run in their places; the words around them stay. */
export function performancePage(
  page: string,
  machine: string,
  bars: readonly BarResult[],
  figures: readonly ProgramFigures[],
): string {
  const isGrowth = ({ group }: ProgramFigures) => group === 'growth';
  const places = {
    machine: `${machine}\n`,
    bars: table(
      ['conditions', 'what', 'wanted', 'median', 'least to most', ''],
      bars.map(({ group, rows, what, wanted, isMet, spread }) => [
        `${group}, ${rows.toLocaleString('en')} rows`,
        what,
        wanted,
        shown(spread.median),
        `${shown(spread.least)} to ${shown(spread.most)}`,
        isMet ? 'met' : '**not met**',
      ]),
    ),
    growth: table(
      ['conditions', 'rows/s', 'commits/row', 'CPU µs/row'],
      figures
        .filter(isGrowth)
        .map(({ program, rowsPerSecond, commitsPerRow, cpuUsPerRow }) => [
          program,
          ...[rowsPerSecond, commitsPerRow ?? Number.NaN, cpuUsPerRow].map(shown),
        ]),
    ),
    programs: table(figureNames, figures.filter((each) => !isGrowth(each)).map(figureCells)),
  };
  return Object.entries(places).reduce(put, page);
}

function put(page: string, [name, content]: [string, string]): string {
  const begin = `<!-- ${name} -->\n`;
  const from = page.indexOf(begin);
  const to = page.indexOf(`<!-- /${name} -->`, from);
  if (from < 0 || to < 0) throw new Error(`the page has no place for ${name}`);
  return `${page.slice(0, from + begin.length)}\n${content}\n${page.slice(to)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}
