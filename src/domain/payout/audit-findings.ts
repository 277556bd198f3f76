/** What an audit can find, the worst first. */
export const findingKinds = [
  'paid-twice',
  'paid-unawares',
  'not-paid',
  'not-ours',
  'status-contradicts',
  'amount-differs',
  'still-open',
  'sums-differ',
  'chain-broken',
  'state-differs',
  'move-forbidden',
  'identity-differs',
  'results-differ',
  'behind',
  'not-checked',
] as const;

export type FindingKind = (typeof findingKinds)[number];

export interface Finding {
  readonly kind: FindingKind;
  /** One line. */
  readonly message: string;
}

const mostKept = 200;

/** Collects findings; of a kind that is found a million times, the first few and their number. */
export class AuditFindings {
  readonly #first = new Map<FindingKind, string[]>();
  readonly #counts = new Map<FindingKind, number>();

  add(kind: FindingKind, message: string): void {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count > mostKept) return;
    const first = this.#first.get(kind) ?? [];
    first.push(message);
    this.#first.set(kind, first);
  }

  get count(): number {
    return [...this.#counts.values()].reduce((sum, each) => sum + each, 0);
  }

  worstFirst(): Finding[] {
    return findingKinds.flatMap((kind) => {
      const first = this.#first.get(kind) ?? [];
      const more = (this.#counts.get(kind) ?? 0) - first.length;
      const messages = more > 0 ? [...first, `and ${more} more of this kind`] : first;
      return messages.map((message) => ({ kind, message }));
    });
  }
}
