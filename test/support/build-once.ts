import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

/** Tests of the command line run what users run: the compiled program, never older than its source. */
export function setup(): () => void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  const before = new Set(readdirSync('.'));
  // Results of a test would otherwise be committed one day.
  return () => {
    const left = readdirSync('.').filter((name) => !before.has(name));
    if (left.length === 0) return;
    console.error(`tests left in the checkout: ${left.join(', ')}`);
    process.exitCode = 1;
  };
}
