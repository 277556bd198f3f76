import type { Violation } from './oracle.ts';

/** One way of breaking things, thrown at payrun many times over. */
export interface Campaign {
  /** As given to `npm run soak -- NAME`, and the name of its line in docs/guarantees.md. */
  readonly name: string;
  /** What was broken, in a sentence that stands before the figures. */
  readonly title: string;
  /** The least that the docs may be written from. */
  readonly atLeast: Readonly<Record<string, number>>;
  run(options: CampaignOptions): Promise<CampaignFigures>;
}

export interface CampaignOptions {
  /** The same seed throws the same things. */
  readonly seed: number;
  /** 1 is the whole of it; less is a sample of that part, chosen by the seed. */
  readonly share: number;
  /** What goes on, for whoever waits. */
  readonly say: (line: string) => void;
}

export interface CampaignFigures {
  /** How often what was tried: { 'crash points': 312, kills: 340 }. */
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
  /** What the harness could not try here, by name: { gcc: 'no compiler' }. */
  readonly skipped?: Readonly<Record<string, string>>;
}
