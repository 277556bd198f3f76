import { PayrunError } from '../../errors.ts';
import type { RunContext } from './run-context.ts';

/** Nothing is wrong with a service whose answers are not waited for any more. */
const saidOfService: ReadonlySet<string> = new Set<PayrunError['code']>([
  'service-unreachable',
  'service-down',
]);

/** Whether that is no more than what a wish to stop, or the end of the time, leads to. */
export function endedByStop({ stopping }: Pick<RunContext, 'stopping'>, error: unknown): boolean {
  return stopping() && error instanceof PayrunError && saidOfService.has(error.code);
}
