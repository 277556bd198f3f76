/** The check digit of a Nigerian account number (NUBAN), which covers the bank's three-digit code too. */
export function nubanFits(bankCode: string, accountNumber: string): boolean {
  const digits = bankCode + accountNumber.slice(0, 9);
  const expected = (10 - (weighted(digits, [3, 7, 3]) % 10)) % 10;
  return Number(accountNumber[9]) === expected;
}

/** The check digit of a US routing number. */
export function routingNumberFits(routingNumber: string): boolean {
  return /^\d{9}$/.test(routingNumber) && weighted(routingNumber, [3, 7, 1]) % 10 === 0;
}

function weighted(digits: string, weights: readonly number[]): number {
  return Array.from(digits).reduce(
    (sum, digit, index) => sum + Number(digit) * (weights[index % weights.length] ?? 0),
    0,
  );
}
