import { environmentText } from '../domain/environment/environment.ts';
import { exitCode } from '../errors.ts';
import { toSendNow } from '../pipeline/plan/plan.ts';
import type { PlannedFile } from '../pipeline/plan/planned-file.ts';
import { correctFirst } from './correct-first.ts';
import type { PlanSetting } from './plan-document.ts';
import { planSummary } from './plan-summary.ts';

export interface PlanReportSetting extends PlanSetting {
  readonly commands: { readonly run: string; readonly plan: string; readonly skipInvalid: string };
  /** By `run`, before its question or in place of it; else it is what `plan` was asked for. */
  readonly shown?: 'before-question' | 'refused' | undefined;
}

/** The plan as a person is shown it, with the verdict and what to do next. */
export function planReport(planned: PlannedFile, setting: PlanReportSetting): string {
  const { environment, trouble, view } = planned;
  const parts = [
    `${setting.kind ?? 'NO SERVICE'}${environment === undefined ? '' : `  ${environmentText(environment)}`}`,
    planSummary(planned),
    view ? '' : notAsked(trouble, setting),
    setting.remembers
      ? ''
      : 'There is no journal here: payrun knows no earlier payments and cannot tell whether these repeat one.',
    ...planned.plan.guards.map((guard) => `REFUSED (${guard.code}): ${guard.message}`),
    verdict(planned, setting),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function notAsked(trouble: string | undefined, { kind }: PlanReportSetting): string {
  if (trouble !== undefined) return `The service could not be asked. ${trouble}`;
  return kind === null ? 'No service is configured, so funds, payees and names were not looked at.' : '';
}

function verdict({ plan, exit, drafted }: PlannedFile, { commands, shown }: PlanReportSetting): string {
  const head = `Plan ${plan.digest.slice(0, 16)}. Nothing was sent${shown === 'before-question' ? ' yet' : ''}.`;
  if (exit === exitCode.guardRefused) {
    const refused =
      shown === 'refused'
        ? 'Refused: see REFUSED above.'
        : 'A run would refuse to pay this: see REFUSED above.';
    return `${head}\n${refused}`;
  }
  if (exit === exitCode.fileInvalid) {
    const skip =
      plan.valid > 0 && !plan.spoilt ? `\nOr pay only the valid rows: ${commands.skipInvalid}` : '';
    return `${head}\n${correctFirst(drafted.questions.problemCodes(), commands.plan)}${skip}`;
  }
  // The question itself follows, and says what to do.
  if (shown === 'before-question') return head;
  if (toSendNow(plan).size === 0) return `${head}\nNothing is left to send.`;
  return `${head}\nNext: ${commands.run}`;
}
