import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { html, joined, when } from '../../../src/report/page/html.ts';

describe('markup of a page', () => {
  test('a text never becomes markup, and what nobody sees is named', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const [, between = ''] = /^<b title="(.*)">/s.exec(html`<b title="${text}"></b>`.markup) ?? [];
        expect(between).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
        expect(between).not.toMatch(/[\p{Cf}\p{Cs}\u2028\u2029]|[^\P{Cc}\n]/u);
      }),
      { numRuns: 50 },
    );
    expect(html`${'a\u202eb <i>&amp;'}`.markup).toBe('a&lt;U+202E&gt;b &lt;i&gt;&amp;amp;');
  });

  test('pieces are put together as they are', () => {
    const rows = [html`<i>${1}</i>`, html`<i>${'<'}</i>`];
    expect(html`<p>${rows}${joined(rows)}</p>`.markup).toBe('<p><i>1</i><i>&lt;</i><i>1</i><i>&lt;</i></p>');
    expect(when(false, () => html`<i></i>`).markup).toBe('');
  });
});
