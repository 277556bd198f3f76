import { mutants } from './mutants.ts';
import { runMutants } from './run-mutants.ts';

/** `npm run mutants`, or those only whose name holds some words: `npm run mutants -- quiet period`. */
const wanted = process.argv.slice(2).join(' ');
const chosen = mutants.filter(({ name }) => name.includes(wanted));
const { tried, red, survived } = await runMutants(chosen, (line) => process.stdout.write(`${line}\n`));
process.stdout.write(`${red.length} of ${tried} faults turned their test red.\n`);
process.exitCode = survived.length === 0 && tried > 0 ? 0 : 1;
