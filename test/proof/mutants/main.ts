import { refuse } from '../refuse.ts';
import { mutants } from './mutants.ts';
import { runMutants } from './run-mutants.ts';

/** `npm run mutants`, or those only whose name holds some words: `npm run mutants -- quiet period`. */
const words = process.argv.slice(2);
const names = mutants.map(({ name }) => `  ${name}`).join('\n');
if (words.includes('--help')) {
  process.stdout.write(
    `npm run mutants -- [WORDS OF A NAME]\nTries every deliberate fault, or those whose name holds these words:\n${names}\n`,
  );
  process.exit(0);
}
const wanted = words.join(' ');
const chosen = mutants.filter(({ name }) => name.includes(wanted));
if (chosen.length === 0)
  refuse(`There is no fault whose name holds ${JSON.stringify(wanted)}. There are these:\n${names}`);
const { tried, red, survived } = await runMutants(chosen, (line) => process.stdout.write(`${line}\n`));
process.stdout.write(`${red.length} of ${tried} faults turned their test red.\n`);
process.exitCode = survived.length === 0 ? 0 : 1;
