import { writeFileSync } from 'node:fs';

/** Loaded into every program that is measured: at its end it says what it took. */
const path = process.env.PAYRUN_BENCH_USAGE;
if (path) {
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const { maxRSS } = process.resourceUsage();
    writeFileSync(path, JSON.stringify({ cpuUs: user + system, peakKb: maxRSS }));
  });
}
