import { setFlagsFromString } from 'node:v8';

/**
 * V8 learns from the first rows that rows live long, and from then on puts all of them where only a full garbage
 * collection finds them: a million rows would take half as much memory again as ten thousand. Rows live for a moment.
 */
export function setV8Flags(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
