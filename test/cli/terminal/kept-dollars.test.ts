import { expect, test } from 'vitest';
import { brokenLines } from '../../../src/cli/terminal/broken-lines.ts';

test.each(["/home/a b/cash $$ in/november.csv", '/home/a b/$& x.csv', "/home/a b/x $' y.csv", '/home/a b/x $` y.csv'])(
  'a kept path with dollars in it is shown as it is: %s',
  (path) => {
    const text = `payrun: There is no file ${path}. Name another one, please, that is there to be read.`;
    const shown = brokenLines(text, 60, [path]);
    expect(shown).toContain(path);
    expect(shown.replaceAll(/\s+/g, ' ')).toBe(text.replaceAll(/\s+/g, ' '));
  },
);
