import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { growsTooFast } from './support/growth.ts';
import { type WorstText, worstTexts, worstTextsOf } from './support/worst-texts.ts';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

interface Pattern {
  readonly place: string;
  readonly pattern: RegExp;
}

const patterns: Pattern[] = [];
const made: string[] = [];
for (const file of files) {
  const tree = ts.createSourceFile(file, readFileSync(join(source, file), 'utf8'), ts.ScriptTarget.Latest);
  const walk = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const text = node.getText(tree);
      const end = text.lastIndexOf('/');
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
      patterns.push({
        place: `${file}:${line}`,
        pattern: new RegExp(text.slice(1, end), text.slice(end + 1)),
      });
    }
    if (ts.isNewExpression(node) && node.expression.getText(tree) === 'RegExp') made.push(file);
    ts.forEachChild(node, walk);
  };
  walk(tree);
}

/** Here quadratic is already a hundred times linear, and all patterns together take seconds. */
const growth = { largest: 32_768, noiseMs: 20 };

describe('every pattern in the source takes time in proportion to the text', () => {
  const unbounded = patterns.filter(({ pattern }) => isUnbounded(pattern));

  test.each(unbounded.map(({ place, pattern }) => [place, pattern] as const))('%s %s', (_, pattern) => {
    const grows = [...worstTexts, ...textsFor(pattern)].find(({ of }) =>
      growsTooFast((size) => workOf(pattern, of(size)), growth),
    );
    expect(grows?.name).toBeUndefined();
  });

  test('and those that are put together at run time are known, and are tried by way of their functions', () => {
    expect([...new Set(made)].sort()).toEqual([
      'domain/restore/number-damage.ts',
      'domain/row/mobile-number.ts',
      'domain/row/spreadsheet-damage.ts',
      'pipeline/guards/funds.ts',
      'service/conceal-given.ts',
      'service/conceal-secrets.ts',
      'service/contract/charges.ts',
    ]);
  });
});

/** Without a run of any length each place in the text costs the same. */
function isUnbounded({ source: text }: RegExp): boolean {
  const bare = text.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  return /[*+]|\{\d+,\}/.test(bare);
}

function textsFor({ source: text }: RegExp): readonly WorstText[] {
  const words = text.replaceAll(/\\./g, ' ').match(/[\p{L}:#=!/-]{2,}/gu) ?? [];
  return worstTextsOf([...new Set(words)].slice(0, 12));
}

function workOf(pattern: RegExp, text: string): () => void {
  return pattern.global ? () => void text.replaceAll(pattern, '') : () => void pattern.exec(text);
}
