import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { misusedIn } from './misused-promises.ts';

/**
 * What `tsc` says, and after it where src uses a promise in the place of what it promises: both ask the same program, which
 * takes longest to make.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const host = ts.createIncrementalCompilerHost(options);
const builder = ts.createIncrementalProgram({ rootNames: fileNames, options, host });
const program = builder.getProgram();
const diagnostics = [
  ...errors,
  ...builder.getConfigFileParsingDiagnostics(),
  ...builder.getOptionsDiagnostics(),
  ...builder.getSyntacticDiagnostics(),
  ...builder.getGlobalDiagnostics(),
  ...builder.getSemanticDiagnostics(),
  ...builder.emit().diagnostics,
];
const shown = {
  getCanonicalFileName: (name: string) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
};
process.stdout.write(ts.formatDiagnosticsWithColorAndContext(diagnostics, shown));
const misused = misusedIn(program, (name) => name.startsWith(`${root}src/`));
for (const { place, text } of misused)
  process.stdout.write(
    `${place.slice(root.length)} A promise is not what it promises, and nobody waits for it: ${text}\n`,
  );
process.exitCode = diagnostics.length + misused.length === 0 ? 0 : 1;
