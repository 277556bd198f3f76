import type { Hold, Payout } from './payout.ts';

/**
 * What a person lets pass: the check that held a payout; for one whose fate is unclear, one more send; for one that is paid,
 * what the service has said against it since.
 */
export type Release = Hold | 'send' | 'doubt';

type Marked = Pick<Payout, 'released'>;

/** A payout may have been held for one thing after another, so the marks of its releases stand side by side. */
export function isReleased({ released }: Marked, release: Release): boolean {
  return marksOf(released).includes(release);
}

export function withRelease({ released }: Marked, release: Release): string {
  return [...marksOf(released).filter((mark) => mark !== release), release].join(' ');
}

export function withoutRelease({ released }: Marked, release: Release): string {
  return marksOf(released)
    .filter((mark) => mark !== release)
    .join(' ');
}

function marksOf(released: string): string[] {
  return released === '' ? [] : released.split(' ').filter((mark) => mark !== '');
}
