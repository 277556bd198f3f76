import { PayrunError } from '../../errors.ts';
import { usageError } from './usage-error.ts';

/** How many of something are let through. */
export function countFlag(flag: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value;
  throw usageError(`${flag} takes a whole number, such as 3.`);
}

export function portFlag({ port }: { readonly port: number }): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new PayrunError('bad-port', '--port takes a whole number from 0 to 65535.');
}

export function wholeNumberFlag(
  flag: string,
  value: number | undefined,
  least: number,
  most: number,
): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return value;
  const message = `${flag} takes a whole number from ${least} to ${most}.`;
  throw new PayrunError('bad-number', message);
}
