import { PayrunError } from '../../errors.ts';

/** A command line that says something that cannot be done. */
export function usageError(message: string): PayrunError {
  return new PayrunError('usage', message);
}
