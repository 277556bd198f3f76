import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * What the compiler says of a user's files and of every type of payrun that they reach, at its strictest. Types of others
 * are loaded and not judged: that is most of the work, and not ours.
 */
export function typeErrors(files: readonly string[], installed: string): string[] {
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    types: ['node'],
    typeRoots: [join(dirname(installed), '@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  });
  const judged = program
    .getSourceFiles()
    .filter(({ fileName }) => files.includes(fileName) || fileName.startsWith(installed));
  return [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...judged.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ].map(
    ({ file, messageText }) =>
      `${file?.fileName ?? 'options'}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  );
}
