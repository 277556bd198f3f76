import { exitCode, PayrunError } from '../../errors.ts';

/** A flag given twice comes as a list; taking one of the two would be a guess. */
export function refuseRepeated(flags: object, ...names: readonly string[]): void {
  for (const name of names) {
    if (Array.isArray((flags as Record<string, unknown>)[name])) throw usage(`--${name} is given twice.`);
  }
}

/** A count given by a flag. */
export function countFlag(flag: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value;
  throw usage(`${flag} takes a whole number, such as 3.`);
}

function usage(message: string): PayrunError {
  return new PayrunError('usage', exitCode.usage, message);
}
