import { maskNumber } from '../domain/money/format-money.ts';
import { counted } from '../domain/text/counted.ts';
import { maskPayees } from '../domain/text/mask-numbers.ts';
import { readableText } from '../domain/text/readable-text.ts';
import type { RememberedNames } from '../journal/released-names.ts';

/** The pairs of names that people released, a line each. */
export function namesReport(pairs: readonly RememberedNames[]): string {
  if (pairs.length === 0) return 'No pair of names is remembered.';
  return [
    `${counted(pairs.length, 'pair')} of names that people released. A payout with one of them is not held for its name.`,
    ...pairs.map((pair) => `  ${pair.id}  ${pairText(pair)}${seenText(pair)}`),
  ].join('\n');
}

export function forgottenReport(pairs: readonly RememberedNames[]): string {
  return [
    ...pairs.map((pair) => `Forgotten: ${pairText(pair)}.`),
    'From now on such a payout is held again. One that a person released by itself stays released.',
  ].join('\n');
}

function pairText({ payee, name, resolved }: RememberedNames): string {
  return `${readableText(name)} is ${readableText(resolved)} at ${maskNumber(payee)}`;
}

function seenText({ batchName, payment }: RememberedNames): string {
  return batchName === null ? '' : ` (last in batch ${batchName}, payment ${payment})`;
}

export function namesDocument(pairs: readonly RememberedNames[], kind: 'names' | 'names-forgotten') {
  return {
    kind,
    names: pairs.map(({ id, payee, name, resolved, batchName, payment }) => ({
      id,
      payee: maskNumber(payee),
      name,
      resolved,
      batch: batchName,
      payment: payment === null ? null : maskPayees(payment),
    })),
  };
}
