import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { html, joined, when } from '../../../src/report/page/html.ts';

/** All that means something to a browser or hides, among letters. */
const signs = [
  '<',
  '>',
  '&',
  '"',
  "'",
  '`',
  '=',
  '/',
  '\\',
  '!',
  '-',
  ';',
  '#',
  'lt',
  'script',
  'é',
  'ŋ',
  '中',
  ' ',
];
const hidden = [
  '\u0000',
  '\u001b',
  '\t',
  '\u007f',
  '\u0085',
  '\u00ad',
  '\u200f',
  '\u202e',
  '\u2028',
  '\ufeff',
  '\ud800',
];

describe('markup of a page', () => {
  test('a text never becomes markup, and what nobody sees is named', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs, ...hidden), { maxLength: 40 }), (some) => {
        const text = some.join('');
        const [, between = ''] = /^<b title="(.*)">/s.exec(html`<b title="${text}"></b>`.markup) ?? [];
        expect(between).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
        expect(between).not.toMatch(/[\p{Cf}\p{Cs}\u2028\u2029]|[^\P{Cc}\n]/u);
      }),
    );
    expect(html`${'a\u202eb <i>&amp;'}`.markup).toBe('a&lt;U+202E&gt;b &lt;i&gt;&amp;amp;');
  });

  test('pieces are put together as they are', () => {
    const rows = [html`<i>${1}</i>`, html`<i>${'<'}</i>`];
    expect(html`<p>${rows}${joined(rows)}</p>`.markup).toBe('<p><i>1</i><i>&lt;</i><i>1</i><i>&lt;</i></p>');
    expect(when(false, () => html`<i></i>`).markup).toBe('');
  });
});
