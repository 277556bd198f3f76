import { writeFileSync } from 'node:fs';

/** Loaded into every program that is measured: at its end it says what it took. */
const path = process.env.PAYRUN_BENCH_USAGE;
let saidMs;
if (path) {
  if (process.env.PAYRUN_BENCH_SAID) noteSaid();
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const { maxRSS } = process.resourceUsage();
    writeFileSync(path, JSON.stringify({ cpuUs: user + system, peakKb: maxRSS, saidMs }));
  });
}

/** When it last said something: of a run, its summary. Only where that is wanted, for to look at stdout takes time by itself. */
function noteSaid() {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (...given) => {
    saidMs = performance.timeOrigin + performance.now();
    return write(...given);
  };
}
