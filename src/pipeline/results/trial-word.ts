import { sandboxPrefix } from '../../service/contract/prefixes.ts';

/** What marks results in which no money moved: empty for a service that counts as live. */
export type TrialWord = '' | 'sandbox' | 'test';

/** Of the place of a service. */
export function trialWord(place: string): TrialWord {
  if (place === 'sandbox') return 'sandbox';
  return place.endsWith(sandboxPrefix) ? 'test' : '';
}

/** An event cell of a results file, `sandbox:412:9f3c…`, in its two parts. */
export function splitEvent(cell: string): { readonly trial: TrialWord; readonly event: string } {
  const [, trial = '', event = ''] = /^(?:(sandbox|test):)?(.*)$/s.exec(cell) ?? [];
  return { trial: trial as TrialWord, event };
}
