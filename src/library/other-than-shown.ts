import { holdsVerdict } from '../domain/policy.ts';
import { canonicalJson } from '../domain/text/canonical-json.ts';
import type { PlannedFile } from '../pipeline/plan/planned-file.ts';
import { type PlanDocument, planDocument } from '../report/plan-document.ts';

/** What people approve by, and what anybody could have written into a plan file: each must be so. */
const shown = {
  rows: 'how many rows there are',
  valid: 'how many rows can be paid',
  keyKind: 'how payments are told apart',
  part: 'whether it is a part of its batch',
  problems: 'what is odd about the file',
  destinations: 'where the money goes',
  countries: 'to which countries the money goes',
  diff: 'how it differs from the batch before',
} as const satisfies Partial<Record<keyof PlanDocument, string>>;

/** In what the plan that was shown to those who approve differs from what would be paid. */
export function otherThanShown(document: PlanDocument, planned: PlannedFile): string[] {
  const { file, mode: kind, remembers } = document;
  const now = planDocument(planned, { file, kind, remembers });
  const parts = Object.keys(shown) as (keyof typeof shown)[];
  return [
    ...parts
      .filter((part) => canonicalJson(compared(now, part)) !== canonicalJson(compared(document, part)))
      .map((part) => `The plan does not show ${shown[part]} as it is.`),
    ...(canonicalJson(fileSums(now)) === canonicalJson(fileSums(document))
      ? []
      : ['The plan does not show what the file adds up to.']),
    ...worseNames(document, now, planned),
  ];
}

/** Of problems not the words: they name commands, which each person types in a way of their own. */
function compared(document: PlanDocument, part: keyof typeof shown): unknown {
  if (part !== 'problems') return document[part];
  return document.problems.first.map(({ message, ...problem }) => problem);
}

function fileSums({ totals }: PlanDocument) {
  return Object.entries(totals).map(([currency, { rows, file }]) => [currency, rows, file]);
}

/** Of names that are paid though they do not match, nobody may have been shown fewer than there are. */
function worseNames({ names }: PlanDocument, now: PlanDocument, { policy }: PlannedFile): string[] {
  if (!names) return ['The plan was made without asking for names.'];
  const paid = (['close', 'mismatch', 'unchecked'] as const).filter(
    (verdict) => !holdsVerdict(policy, verdict),
  );
  return paid
    .filter((verdict) => (now.names?.[verdict] ?? 0) > names[verdict])
    .map((verdict) => `More names are ${verdict} than the plan shows.`);
}
