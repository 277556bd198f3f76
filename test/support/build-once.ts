import { execFileSync } from 'node:child_process';

/** Tests of the command line run what users run: the compiled program, never older than its source. */
export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}
