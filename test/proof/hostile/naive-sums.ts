/**
 * What a file adds up to by the plainest reading there is: UTF-8, a first line of column names, commas, no quotes, amounts
 * of digits with at most two decimals behind a point. Undefined where the file is not that plain; then nothing is known.
 */
export function naiveSums(bytes: Buffer): ReadonlyMap<string, bigint> | undefined {
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes) || /["\r\0\ufeff\u2028\u2029\u0085]/.test(text)) return undefined;
  const [header = '', ...lines] = text.replace(/\n+$/, '').split('\n');
  const names = header.split(',');
  const amountAt = names.indexOf('amount');
  const currencyAt = names.indexOf('currency');
  if (amountAt < 0 || currencyAt < 0) return undefined;
  const sums = new Map<string, bigint>();
  for (const line of lines) {
    const cells = line.split(',');
    const currency = cells[currencyAt] ?? '';
    const hundredths = hundredthsOf(cells[amountAt] ?? '');
    if (cells.length !== names.length || !/^[A-Z]{3}$/.test(currency) || hundredths === undefined)
      return undefined;
    sums.set(currency, (sums.get(currency) ?? 0n) + hundredths);
  }
  return sums;
}

export function hundredthsOf(text: string): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole === '' ? undefined : BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
}
