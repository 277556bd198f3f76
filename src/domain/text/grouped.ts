/** `125000` as `125,000`. By hand: the formatter of the platform takes longer to wake than a short command to run. */
export function grouped(whole: number | string): string {
  const text = String(whole);
  const sign = text.startsWith('-') ? '-' : '';
  const digits = text.slice(sign.length);
  const first = digits.length % 3 || 3;
  const groups = digits.slice(first).match(/\d{3}/g) ?? [];
  return sign + [digits.slice(0, first), ...groups].join(',');
}
