import { expect, test } from 'vitest';
import { codesOf, judgeRow, mobileRow } from './judge-row.ts';

function judged(narration: string) {
  const judgement = judgeRow({ ...mobileRow, narration });
  return [judgement.row?.narration, ...codesOf(judgement)];
}

test('a narration is cleaned, and an empty one is none', () => {
  expect(judged(' November\n pay ')).toEqual(['November pay']);
  expect(judged(' ')).toEqual([undefined]);
  expect(judged('N/A')).toEqual([undefined]);
});

test('nothing in a narration keeps the row from being paid', () => {
  expect(judged('#REF!')).toEqual([undefined, 'narration-unreadable']);
  expect(judged('####')).toEqual([undefined, 'narration-unreadable']);
  expect(judged('pay\u0007')).toEqual([undefined, 'narration-unreadable']);
  expect(judged('=A1')).toEqual(['=A1']);
  expect(judged('x'.repeat(141))).toEqual(['x'.repeat(140), 'narration-too-long']);
  expect(judged('😀'.repeat(140))).toEqual(['😀'.repeat(140)]);
  expect(judged('😀 '.repeat(100_000))).toEqual(['😀 '.repeat(70).trim(), 'narration-too-long']);
});
