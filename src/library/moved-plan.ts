import { environmentText } from '../domain/environment/environment.ts';
import { formatMoney } from '../domain/money/format-money.ts';
import { policyDocument } from '../domain/policy.ts';
import { canonicalJson } from '../domain/text/canonical-json.ts';
import type { Guard } from '../pipeline/guards/guards.ts';
import { toSendNow } from '../pipeline/plan/plan.ts';
import type { PlannedFile } from '../pipeline/plan/planned-file.ts';
import type { PlanFile } from '../report/plan-file.ts';
import { plannedSums } from '../report/planned-sums.ts';

/** A run by a plan pays that intention and no other: all that is not as the plan says, at once. */
export function movedPlan(planFile: PlanFile, planned: PlannedFile): Guard[] {
  const found = differences(planFile, planned);
  if (found.length === 0) return [];
  return [
    {
      code: 'plan-moved',
      message: [
        'This is not what the plan says:',
        ...found.map((difference) => `  ${difference}`),
        'Make the plan again and look at it.',
      ].join('\n'),
    },
  ];
}

/** Whether the draft was accepted by this very plan before: then a run carries on. */
export function carriesOn({ id }: PlanFile, { accepted }: PlannedFile): boolean {
  return accepted.last === id;
}

function differences(planFile: PlanFile, planned: PlannedFile): string[] {
  const { document } = planFile;
  const { plan, drafted, environment, policy, repeats, accepted } = planned;
  const account = environment === undefined ? 'no service' : environmentText(environment);
  const settings = [
    ...(drafted.reading.facts.digest === document.fileDigest ? [] : ['The file was changed since.']),
    ...(plan.batch === document.batch ? [] : [`It is batch ${plan.batch}, not ${document.batch}.`]),
    ...(account === (document.environment ?? 'no service')
      ? []
      : [`It would be paid by ${account}, not by ${document.environment ?? 'any service'}.`]),
    ...(canonicalJson(policyDocument(policy)) === canonicalJson(document.policy)
      ? []
      : ['Which rows are paid or held is set otherwise (--skip-invalid, --on-…, --limit-payout).']),
    ...(canonicalJson(repeats) === canonicalJson(document.repeats)
      ? []
      : ['Which payments count as repeated is set otherwise (--repeat-window, --allow-repeats).']),
  ];
  const isRead = plan.digest === document.digest;
  return [
    ...settings,
    ...(isRead || settings.length > 0
      ? []
      : ['The account is another one, or the rows of the file are read otherwise now.']),
    ...(carriesOn(planFile, planned) || accepted.count === document.drafts
      ? []
      : ['Another file was accepted into the batch since.']),
    ...moreThanPlanned(planFile, planned),
  ];
}

/** Less is what a run that was killed has left to do. */
function moreThanPlanned({ document }: PlanFile, { plan }: PlannedFile): string[] {
  const allowed = plannedSums(document);
  return [...toSendNow(plan)]
    .filter(([currency, minor]) => minor > (allowed.get(currency) ?? 0n))
    .map(
      ([currency, minor]) =>
        `${formatMoney(minor, currency)} would be sent now; the plan says ${formatMoney(allowed.get(currency) ?? 0n, currency)}.`,
    );
}
