import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededWorkspace } from '../seeded-workspace.ts';

test('payrun report writes the page beside the results and prints its path alone', async () => {
  const { payrun, folder } = await seededWorkspace([{ key: 'E1', state: 'paid' }]);
  const path = join(folder, 'payroll.report.html');
  expect(await payrun(['report', 'payroll'])).toEqual({ exit: 0, stdout: `${path}\n`, stderr: '' });
  const page = readFileSync(path, 'utf8');
  expect(page).toContain('by amina, payrun ');
  expect(page.endsWith('</html>\n')).toBe(true);
});
