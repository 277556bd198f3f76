import { expect, test } from 'vitest';
import { maskDifferingNumbers } from '../../../src/domain/payee/mask-differing-numbers.ts';

test.each([
  ['the last four differ', '+254712345678', '+254712345679', ['…5678', '…5679']],
  ['the last four agree', '+254712340001', '+254799340001', ['…12••0001', '…99••0001']],
  ['one digit differs far in front', '+254712340001', '+254112340001', ['…7••••0001', '…1••••0001']],
  ['one is longer', '10001', '0001', ['…10001', '…0001']],
  ['nothing differs', '+254712340001', '+254712340001', ['…0001', '…0001']],
])('%s: both are masked, and what differs is seen', (_, one, other, shown) => {
  expect(maskDifferingNumbers(one, other)).toEqual(shown);
});
