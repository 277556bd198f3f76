import { simulate } from './simulate.ts';

/** `npx tsx test/proof/simulator/replay.ts SEED` prints everything that happens under a seed. */
const report = await simulate(Number(process.argv[2] ?? 1));
process.stdout.write(`${report.trace.join('\n')}\n`);
const verdict = report.violations.map(({ kind, text }) => `${kind}: ${text}`);
process.stdout.write(`\n${verdict.length === 0 ? 'no violation' : verdict.join('\n')}\n`);
process.exitCode = verdict.length === 0 ? 0 : 1;
