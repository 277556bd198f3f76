import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import type { LeanCounts, LeanOptions } from './lean-service.ts';

/** The lean service, in a process of its own. */
export async function startService(options: LeanOptions) {
  const path = fileURLToPath(new URL('./lean-service.ts', import.meta.url));
  const args = ['--import', 'tsx', path, JSON.stringify(options)];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
  const origin = `http://127.0.0.1:${port}`;
  // Over a connection of its own each time: who waited for a program all the while has not heard that the last one was closed.
  const ask = (path: string) => request(`${origin}/_bench/${path}`, { reset: true });
  return {
    origin,
    /** Since the last time that it was asked. */
    counts: async () => (await (await ask('counts')).body.json()) as LeanCounts,
    /** It takes payouts again. */
    up: async () => void (await (await ask('up')).body.dump()),
    stop: () => void child.kill('SIGKILL'),
  };
}
