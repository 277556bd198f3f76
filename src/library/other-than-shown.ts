import type { EnvironmentKind } from '../domain/environment/environment.ts';
import { isLoopback } from '../domain/environment/is-loopback.ts';
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
export function otherThanShown(
  document: PlanDocument,
  planned: PlannedFile,
  kind: EnvironmentKind,
): string[] {
  const { file, mode, remembers } = document;
  const now = planDocument(planned, { file, kind: mode, remembers });
  const parts = Object.keys(shown) as (keyof typeof shown)[];
  return [
    ...(isCalledRightly(mode, planned, kind)
      ? []
      : ['The plan does not show whether it is real money as it is.']),
    ...parts
      .filter((part) => canonicalJson(compared(now, part)) !== canonicalJson(compared(document, part)))
      .map((part) => `The plan does not show ${shown[part]} as it is.`),
    ...(canonicalJson(fileSums(now)) === canonicalJson(fileSums(document))
      ? []
      : ['The plan does not show what the file adds up to.']),
    ...worseNames(document, now, planned),
  ];
}

/** The word that stands first where people approve. A sandbox of payrun's own, on this machine, may be called one. */
function isCalledRightly(
  mode: PlanDocument['mode'],
  { environment }: PlannedFile,
  kind: EnvironmentKind,
): boolean {
  if (mode === ({ sandbox: 'SANDBOX', test: 'TEST', live: 'LIVE' } as const)[kind]) return true;
  const place = environment?.place ?? '';
  return mode === 'SANDBOX' && URL.canParse(place) && isLoopback(new URL(place).hostname);
}

/** Of a cancelled row not the words: they name a command, which each person types in a way of their own. It pays nothing. */
function compared(document: PlanDocument, part: keyof typeof shown): unknown {
  if (part !== 'problems') return document[part];
  const { first, ...counts } = document.problems;
  const told = first.map((problem) =>
    problem.code === 'row-cancelled' ? { ...problem, message: '' } : problem,
  );
  return { ...counts, first: told };
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
  const more = paid
    .filter((verdict) => (now.names?.[verdict] ?? 0) > names[verdict])
    .map((verdict) => `More names are ${verdict} than the plan shows.`);
  const told = new Set(names.first.map((name) => canonicalJson(name)));
  const isUntold = (name: (typeof names.first)[number]) =>
    paid.some((verdict) => verdict === name.verdict) && !told.has(canonicalJson(name));
  return now.names?.first.some(isUntold)
    ? [...more, 'Other names are paid though they do not match than the plan shows.']
    : more;
}
