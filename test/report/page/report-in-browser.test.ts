import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Chromium, findChromium, startChromium } from '../../support/chromium.ts';
import { hostilePayouts, hostileTexts, reportedWorkspace } from './hostile-batch.ts';

const path = findChromium();
let browser: Chromium;

beforeAll(async () => {
  if (path !== undefined) browser = await startChromium(path);
});
afterAll(() => browser?.close());

/** Texts of the page, as a person reads them. */
const texts = (selector: string) =>
  `Array.from(document.querySelectorAll(${JSON.stringify(selector)}), (each) => each.textContent)`;
const visible = `Array.from(document.querySelectorAll('#payouts tbody tr')).filter((row) => row.checkVisibility()).length`;
const search = (words: string) =>
  `search.value = ${JSON.stringify(words)}; search.dispatchEvent(new Event('input')); ${visible}`;

describe.skipIf(path === undefined)('a report in chromium (skipped where there is none)', () => {
  test('hostile names are texts: no script of theirs, no complaint, nothing is loaded', async () => {
    const { payrun, db } = await reportedWorkspace(hostilePayouts());
    db.prepare('UPDATE batches SET file_name = ?').run(hostileTexts[0]);
    await payrun.cancel('payroll', { payments: ['H9'], reason: hostileTexts[2] });
    const report = await payrun.report('payroll');
    const page = await browser.open(report.path);
    expect(await page.evaluate(`typeof stolen`)).toBe('undefined');
    expect(await page.evaluate(texts('.env'))).toEqual(['LIVEreal money']);
    expect(await page.evaluate(visible)).toBe(30);
    const names = (await page.evaluate(texts('#payouts td:nth-child(3)'))) as string[];
    expect(names.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => hostileTexts[0]));
    expect(names.at(-9)).toBe('Mary <U+202E>gnp.exe<U+2028> Wanjiku<U+0000><U+200F>');
    expect(await page.evaluate(`document.querySelectorAll('script').length`)).toBe(1);
    expect(await page.evaluate(`document.querySelectorAll('img, iframe, base, object, a').length`)).toBe(0);
    const shown = (await page.evaluate('document.body.innerText')) as string;
    for (const text of [`E-1: ${hostileTexts[3]}`, `cancelled: ${hostileTexts[2]}`, `by <b>amina</b>`]) {
      expect(shown).toContain(text);
    }
    expect(page.complaints).toEqual([]);
    expect(page.requests).toEqual([]);
  });

  test('the table is searched and sorted; without the script it is all there', async () => {
    const { payrun } = await reportedWorkspace(hostilePayouts());
    const report = await payrun.report('payroll');
    const page = await browser.open(report.path);
    expect(await page.evaluate(search('HELD exe'))).toBe(1);
    expect(await page.evaluate('found.textContent')).toMatch(/^1 of 30 rows match/);
    expect(await page.evaluate(search(''))).toBe(30);
    const amounts = async () => (await page.evaluate(texts('#payouts td:nth-child(6)'))) as string[];
    await page.evaluate(`document.querySelectorAll('#payouts th [role=button]')[5].click()`);
    expect((await amounts()).at(-1)).toBe('KES 1,509.00');
    await page.evaluate(`document.querySelectorAll('#payouts th [role=button]')[5].click()`);
    expect((await amounts()).at(0)).toBe('KES 1,509.00');
    expect(await page.evaluate(texts('#payouts th[aria-sort=descending]'))).toEqual(['Amount']);
    expect(page.complaints).toEqual([]);

    const plain = await browser.open(report.path, { withScript: false });
    expect(await plain.evaluate(`${visible} + ' ' + tools.checkVisibility()`)).toBe('30 false');
  });

  test('a script that is slipped into the file is refused by the page itself', async () => {
    const { payrun, folder } = await reportedWorkspace(hostilePayouts().slice(0, 3));
    const text = readFileSync((await payrun.report('payroll')).path, 'utf8');
    const changed = `${folder}/changed.html`;
    writeFileSync(
      changed,
      text.replace('</main>', '<script>stolen=1</script><img src=x onerror="stolen=1"></main>'),
    );
    const page = await browser.open(changed);
    expect(await page.evaluate('typeof stolen')).toBe('undefined');
    expect(page.complaints.join()).toMatch(/Content Security Policy/);
  });

  test('it prints on A4, the list of payouts across', async () => {
    const { payrun } = await reportedWorkspace(hostilePayouts());
    const page = await browser.open((await payrun.report('payroll')).path);
    const sizes = (await page.pdf()).toString('latin1').match(/\/MediaBox \[[^\]]*\]/g) ?? [];
    expect(new Set(sizes.map((size) => size.replace(/\.\d+/g, '')))).toEqual(
      new Set(['/MediaBox [0 0 594 841]', '/MediaBox [0 0 841 594]']),
    );
  });
});
