import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { runPayrun, spawnPayrun } from '../../support/run-payrun.ts';

describe('payrun sandbox', () => {
  test('prints its credentials as one line of JSON, stops on Ctrl-C, and leaves private files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payrun-cli-'));
    const child = spawnPayrun(['sandbox', '--json', '--port', '0', '--workspace', join(folder, 'state')]);
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    expect(Object.keys(JSON.parse(line))).toEqual(['url', 'apiKey', 'publicKey', 'webhookSecret']);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'state', 'sandbox.db')).mode & 0o777).toBe(0o600);

    const books = await runPayrun(['sandbox', 'books', '--workspace', join(folder, 'state')]);
    expect(books.stdout).toContain('The books balance');
    expect(books.exit).toBe(0);
    rmSync(folder, { recursive: true });
  });

  test('names the magic endings and the faults in its help', async () => {
    const { stdout, exit } = await runPayrun(['sandbox', '--help']);
    expect(exit).toBe(0);
    for (const word of ['…99001', '…99016', 'lost-reply=', 'list-filter=', '4000000000000010'])
      expect(stdout).toContain(word);
  });

  test('refuses what it does not understand, and says so', async () => {
    for (const args of [
      ['sandbox', '--prot', '1'],
      ['sandbox', '--port', 'many'],
      ['sandbox', '--fault', 'lost=1'],
      ['sandbox', '--settle-after', '3'],
      ['sandbx'],
      [],
    ]) {
      const { exit, stderr, stdout } = await runPayrun(args);
      expect(exit, args.join(' ')).toBe(2);
      expect(stderr, args.join(' ')).not.toBe('');
      expect(stderr).not.toContain('    at ');
      expect(stdout).toBe('');
    }
  });

  test('says which port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { exit, stderr } = await runPayrun(['sandbox', '--memory', '--port', String(port)]);
    taken.close();
    expect(exit).toBe(73);
    expect(stderr).toContain('--port');
  });

  test('shows no books where there is no sandbox', async () => {
    const { exit, stderr } = await runPayrun(['sandbox', 'books', '--workspace', '/nonexistent']);
    expect(exit).toBe(78);
    expect(stderr).toContain('payrun sandbox');
  });
});
