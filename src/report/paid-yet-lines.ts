import type { ResultSums } from '../domain/payout/result-tally.ts';
import { grouped } from '../domain/text/grouped.ts';

/** Said wherever payouts are counted: paid is not the end of these. */
export function paidYetLines({ watched, doubted }: Pick<ResultSums, 'watched' | 'doubted'>): string[] {
  const line = (count: number, text: string) => `  ${grouped(count).padStart(7)}  of the paid: ${text}`;
  const references = watched === 1 ? 'its reference' : 'their references';
  return [
    ...(watched === 0 ? [] : [line(watched, `another transaction under ${references} is still open`)]),
    ...(doubted === 0
      ? []
      : [
          line(
            doubted,
            'the service has said something else since; payrun status BATCH and payrun_reason say what',
          ),
        ]),
  ];
}
