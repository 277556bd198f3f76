import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { supportedNode } from '../../src/cli/refused-node.ts';
import { runPayrun } from '../support/run-payrun.ts';

/** The command as it would begin with another version of Node. */
function withNode(version: string, ...words: string[]) {
  const pretended = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(pretended)}`;
  return runPayrun(words, { env: { NODE_OPTIONS } });
}

const project = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

describe('a version of Node that payrun does not work with', () => {
  test.each(['18.20.8', '20.18.3', '24.19.0', '24.20.1', '25.0.0', '26.1.0'])(
    '%s: is refused in one sentence (78)',
    async (version) => {
      const ended = await withNode(version, 'validate', 'samples/payroll.csv');
      expect(ended).toEqual({
        exit: 78,
        stdout: '',
        stderr: `payrun: this is Node ${version}, and payrun works with Node 20.19 to 24.18: install one of these and run the same command again.\n`,
      });
      expect(await withNode(version, '--version')).toMatchObject({ exit: 0, stderr: '' });
    },
  );

  test.each(['20.19.0', '22.0.0', '23.11.1', '24.18.0'])('%s is none', async (version) => {
    expect(await withNode(version, 'validate', 'samples/payroll.csv')).toMatchObject({ exit: 0, stderr: '' });
  });

  test('is the same to npm and to who reads about it', () => {
    const { from, before } = supportedNode;
    const [since, until] = [from.join('.'), before.join('.')];
    expect(JSON.parse(project('package.json')).engines.node).toBe(`>=${since} <${until}`);
    expect(project('README.md')).toContain(`Needs Node ${since} to ${before[0]}.${before[1] - 1}`);
    expect(project('README.md')).toContain(`With Node ${until} and later`);
  });
});
