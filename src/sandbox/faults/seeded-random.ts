/**
 * A number in [0, 1) that depends on the text alone: the same seed and the same subject always draw the same.
 * Two 32-bit multiplicative mixes; good enough to choose by, not to keep secrets with.
 */
export function seededRandom(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return ((low >>> 11) * 2 ** 32 + (high >>> 0)) / 2 ** 53;
}
