import { expect, test, vi } from 'vitest';
import { failWith } from '../../../src/cli/terminal/fail-with.ts';
import { PayrunError } from '../../../src/errors.ts';

const message =
  'There is no workspace at /home/somebody/pay office/state, so payrun would not know what was paid before. If this is the first time, make it with: payrun init --sandbox';
const error = new PayrunError('workspace-missing', message);
const plain = { json: false, jsonLines: false };

/** What is said on an error output of that kind. */
function said(isTTY: boolean, what: unknown, as = plain): string {
  const { stderr } = process;
  const before = { isTTY: stderr.isTTY, columns: stderr.columns };
  const write = vi.spyOn(stderr, 'write').mockReturnValue(true);
  try {
    Object.assign(stderr, { isTTY, columns: 60 });
    failWith(what, as);
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
    Object.assign(stderr, before);
  }
}

test('an error is broken between words on a terminal', () => {
  vi.stubEnv('XDG_STATE_HOME', '/home/somebody/pay office/state');
  expect(said(true, error).split('\n')).toEqual([
    'payrun: There is no workspace at',
    '  /home/somebody/pay office/state, so payrun would not know',
    '  what was paid before. If this is the first time, make it',
    '  with: payrun init --sandbox',
    '',
  ]);
  vi.unstubAllEnvs();
});

test('elsewhere it is one line, and so is JSON', () => {
  expect(said(false, error)).toBe(`payrun: ${message}\n`);
  expect(said(true, error, { json: false, jsonLines: true }).split('\n')).toHaveLength(2);
});

test('a stack stays as it is', () => {
  const bug = new Error('a bug');
  bug.stack = `Error: a bug\n    at ${'somewhere deep inside '.repeat(6)}(file.ts:1)`;
  expect(said(true, bug)).toContain(bug.stack);
});
