import { parseDuration } from '../domain/duration.ts';
import { exitCode, PayrunError } from '../errors.ts';

export function durationFlag(flag: string, text: string): number {
  const value = parseDuration(text);
  if (value !== undefined) return value;
  throw new PayrunError(
    'bad-duration',
    exitCode.usage,
    `${flag} takes a duration such as 500ms, 30s or 10m, not "${text}".`,
  );
}
