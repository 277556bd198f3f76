import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src/', import.meta.url));

/** Variables and functions that hold or give a sentence made for people, and properties that do. */
const sentences = new Set(['message', 'why', 'sentence', 'reasonText']);
const sentenceProperties = new Set([...sentences, 'cause', 'says', 'words']);

/** What compares, searches or cuts a text. */
const readers = new Set([
  'startsWith',
  'endsWith',
  'includes',
  'indexOf',
  'match',
  'matchAll',
  'search',
  'test',
  'exec',
  'replace',
  'replaceAll',
  'split',
]);

/** Where a text of others, and not of ours, is read under such a name; each with its reason. */
const allowed: Readonly<Record<string, string>> = {
  'service/reference-used.ts saysReferenceUsed':
    'the service gives no code there: its words are all there is',
  'service/call-outcome.ts ownWords': 'nothing but the full stop goes: the words become part of a sentence',
  'domain/payout/reasons.ts textOf': 'the slots of a sentence are filled',
};

interface Found {
  readonly place: string;
  readonly text: string;
}

function sentencesReadIn(name: string, text: string): Found[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: ts.Node, inside: string): void => {
    const here = ts.isFunctionDeclaration(node) && node.name ? node.name.text : inside;
    if (isReading(node) || isSqlReading(node)) {
      const place = `${name} ${here}`;
      if (!(place in allowed)) found.push({ place, text: node.getText(file).slice(0, 120) });
    }
    ts.forEachChild(node, (child) => visit(child, here));
  };
  visit(file, '');
  return found;
}

function isReading(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node) && isComparison(node.operatorToken.kind)) {
    const sides = [node.left, node.right];
    return sides.some(isProse) || (sides.some(isSentence) && sides.some(isWord));
  }
  if (ts.isSwitchStatement(node)) return isSentence(node.expression);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression, name } = node.expression;
  if (!readers.has(name.text) || (ts.isIdentifier(expression) && expression.text === 'db')) return false;
  const [first] = node.arguments;
  return isSentence(expression) || (first !== undefined && (isSentence(first) || isProse(first)));
}

function isComparison(kind: ts.SyntaxKind): boolean {
  return [
    ts.SyntaxKind.EqualsEqualsEqualsToken,
    ts.SyntaxKind.ExclamationEqualsEqualsToken,
    ts.SyntaxKind.EqualsEqualsToken,
    ts.SyntaxKind.ExclamationEqualsToken,
  ].includes(kind);
}

function isSentence(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)) return isSentence(node.expression);
  if (ts.isBinaryExpression(node)) return isSentence(node.left);
  if (ts.isCallExpression(node)) return isSentence(node.expression);
  if (ts.isPropertyAccessExpression(node)) return sentenceProperties.has(node.name.text);
  return ts.isIdentifier(node) && sentences.has(node.text);
}

/** Whether a sentence is there at all may be asked. */
function isWord(node: ts.Expression): boolean {
  return ts.isStringLiteralLike(node) && node.text !== '';
}

/** Three words or more: nobody else writes such a text than a person, or payrun for one. */
function isProse(node: ts.Expression): boolean {
  return ts.isStringLiteralLike(node) && /[A-Za-z]+ [A-Za-z]+ [A-Za-z]+/.test(node.text);
}

/** A condition of SQL on a text for people, or on three words. */
function isSqlReading(node: ts.Node): boolean {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return false;
  const text = node.getText();
  if (!/\b(?:SELECT|UPDATE|DELETE|WHERE|AND)\b/.test(text)) return false;
  return (
    /\b(?:why|words|message|problem)\s*(?:=|<>|LIKE|GLOB|REGEXP)(?!\s*(?:''|[?@]))/.test(
      text.replace(/SET [^;]*?WHERE/gs, 'WHERE'),
    ) || /(?:=|<>|LIKE|GLOB)\s*'[^']*[A-Za-z]+ [A-Za-z]+ [A-Za-z]+/.test(text)
  );
}

/** Migrations bring journals forward in which the sentence was all there was; files are other people's texts. */
const leftOut = (name: string) => name === 'journal/migrations.ts' || name.startsWith('file/');

describe('no rule reads a sentence that is made for people', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !leftOut(name),
  );

  test('nothing in src compares, searches or cuts one', () => {
    expect(files.length).toBeGreaterThan(200);
    const found = files.flatMap((name) => sentencesReadIn(name, readFileSync(join(source, name), 'utf8')));
    expect(found).toEqual([]);
  });

  test.each([
    ['a comparison', `if (payout.why === 'it is gone') act();`],
    ['a comparison of a sentence in full', `const isGone = text !== 'it was sent and no answer came';`],
    ['a pattern', `const isBurnt = /used/.test(outcome.message);`],
    ['a beginning', `const isTwice = payout.cause.startsWith(mark);`],
    ['a sentence made from a code', `const isTwice = reasonText(payout).includes('TWICE');`],
    ['words cut out', `const rest = error.message.replace('Nothing was sent.', '');`],
    ['a switch', `switch (error.message) { case 'x': break; }`],
    ['SQL', "db.prepare(`SELECT key FROM events WHERE why LIKE 'PAID%'`)"],
    ['SQL with a sentence', `db.prepare("SELECT 1 FROM payouts WHERE code = 'it was not paid'")`],
  ])('%s is found', (_, text) => {
    expect(sentencesReadIn('example.ts', text)).not.toEqual([]);
  });

  test.each([
    ['a code', `if (payout.code === 'unproven') act();`],
    ['whether there is one', `if (payout.why !== '') say(payout.why);`],
    ['one that is said', `say('payment: ' + outcome.cause);`],
    ['SQL about codes', `db.prepare("SELECT why FROM events WHERE code = 'cut-off'")`],
  ])('%s is not', (_, text) => {
    expect(sentencesReadIn('example.ts', text)).toEqual([]);
  });
});
