import ts from 'typescript';

export interface Found {
  readonly place: string;
  readonly text: string;
}

/**
 * Where a promise stands in the place of what it promises, and the compiler lets it: a condition that is always true, a
 * text "[object Promise]", a callback whose end nobody waits for, a call whose error nobody hears.
 */
export function misusedIn(program: ts.Program, isChecked: (name: string) => boolean): Found[] {
  const checker = program.getTypeChecker();
  const found: Found[] = [];

  const isPromise = (type: ts.Type): boolean =>
    type.isUnionOrIntersection() ? type.types.some(isPromise) : type.getProperty('then') !== undefined;
  const givesPromise = (node: ts.Node): boolean => isPromise(checker.getTypeAtLocation(node));

  /** A function whose promise the one that calls it does not look at. */
  const isUnheard = (argument: ts.Expression): boolean => {
    const own = checker.getTypeAtLocation(argument).getCallSignatures();
    if (!own.some((signature) => isPromise(signature.getReturnType()))) return false;
    const wanted = checker.getContextualType(argument);
    const signatures = wanted ? signaturesOf(wanted) : [];
    return (
      signatures.length > 0 &&
      signatures.every((signature) => (signature.getReturnType().flags & ts.TypeFlags.Void) !== 0)
    );
  };
  const signaturesOf = (type: ts.Type): readonly ts.Signature[] =>
    type.isUnion() ? type.types.flatMap(signaturesOf) : type.getCallSignatures();

  const visit = (file: ts.SourceFile, node: ts.Node): void => {
    const misused = [
      ...conditionsIn(node).filter(givesPromise),
      ...textsIn(node).filter(givesPromise),
      ...(ts.isSpreadAssignment(node) && givesPromise(node.expression) ? [node] : []),
      ...(ts.isExpressionStatement(node) && isLeftAlone(node.expression) && givesPromise(node.expression)
        ? [node]
        : []),
      ...(ts.isCallExpression(node) || ts.isNewExpression(node)
        ? (node.arguments ?? []).filter(isUnheard)
        : []),
    ];
    for (const each of misused) {
      const { line } = file.getLineAndCharacterOfPosition(each.getStart(file));
      found.push({ place: `${file.fileName}:${line + 1}`, text: each.getText(file).slice(0, 120) });
    }
    ts.forEachChild(node, (child) => visit(file, child));
  };
  for (const file of program.getSourceFiles()) if (isChecked(file.fileName)) visit(file, file);
  return found;
}

/** What a node asks whether it is so. */
function conditionsIn(node: ts.Node): ts.Expression[] {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) return [node.expression];
  if (ts.isConditionalExpression(node)) return [node.condition];
  if (ts.isForStatement(node)) return node.condition ? [node.condition] : [];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [node.operand];
  if (!ts.isBinaryExpression(node)) return [];
  const { kind } = node.operatorToken;
  if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken)
    return [node.left];
  return comparisons.has(kind) ? [node.left, node.right] : [];
}

const comparisons: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

/** What a node makes a text of. */
function textsIn(node: ts.Node): ts.Expression[] {
  return ts.isTemplateExpression(node) ? node.templateSpans.map(({ expression }) => expression) : [];
}

/** Neither awaited nor said to be left alone on purpose. */
function isLeftAlone(node: ts.Expression): boolean {
  return !ts.isAwaitExpression(node) && !ts.isVoidExpression(node) && !ts.isBinaryExpression(node);
}
