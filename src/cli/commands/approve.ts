import type { InferredOptionTypes } from 'yargs';
import { nameOfKey, policyInForce } from '../../domain/approval/approval-policy.ts';
import { shellWord } from '../../domain/text/shell-word.ts';
import { PayrunError } from '../../errors.ts';
import { approvalDocument, approvalText } from '../../report/approval-document.ts';
import type { PlanFile } from '../../report/plan-file.ts';
import { planFileReport } from '../../report/plan-file-report.ts';
import { plannedSums } from '../../report/planned-sums.ts';
import { isAsPlanned } from '../../report/signed-plan.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { amountFlags } from '../flags/amount-flags.ts';
import { listFlag, textFlag } from '../flags/flag-kinds.ts';
import { usageError } from '../flags/usage-error.ts';
import { approvalPath } from '../setup/read-approvals.ts';
import { readPlanFile } from '../setup/read-plan-file.ts';
import { keyFlags, signerOf, silentTerminal } from '../setup/signing-keys.ts';
import { confirmSums } from '../terminal/confirm-sums.ts';
import { printText } from '../terminal/print.ts';
import { writeApproval } from '../terminal/write-extra-files.ts';
import type { Command } from './command.ts';

const options = {
  ...keyFlags,
  out: textFlag('Where the approval goes; default: beside the plan'),
  'confirm-total': listFlag('Approve without a question, if just this would be sent: KES=125000.00'),
};

type Flags = InferredOptionTypes<typeof options> & { readonly plan: string };

export const approveCommand: Command<Flags> = {
  builder: (yargs) =>
    yargs
      .positional('plan', {
        ...textFlag('A plan file (payrun plan FILE --out PLAN.json --key KEY)'),
        demandOption: true,
      })
      .options(options),
  handler: async (flags) => {
    if (flags.key === undefined) throw usageError('Name your private key with --key.');
    const planFile = readPlanFile(flags.plan);
    process.stderr.write(terminalText(`${planFileReport(planFile)}\n\n`));
    refuseUnapprovable(planFile);
    const confirmed = amountFlags('--confirm-total', flags['confirm-total']);
    const terminal = silentTerminal();
    // As with plan --key: whoever expects to be asked for it first must not type it where it is shown.
    const signer = await signerOf(flags.key, flags['passphrase-file'], terminal);
    const name = approverName(planFile, signer.key);
    await confirmSums(plannedSums(planFile.document), confirmed, terminal);
    const approval = approvalDocument(planFile, signer, { name, at: new Date().toISOString() });
    const out = flags.out ?? approvalPath(flags.plan, signer.key);
    await writeApproval(out, flags.plan, approvalText(approval));
    process.stderr.write(terminalText(`Approved by ${name}. The approval is in:\n`));
    await printText(out);
    process.stderr.write(
      terminalText(`Next: payrun run --plan ${shellWord(flags.plan)}${onSandbox(planFile)}\n`),
    );
  },
};

/** The plan knows where it is paid. */
function onSandbox({ document }: PlanFile): string {
  return document.mode === 'SANDBOX' ? ' --sandbox' : '';
}

/** What no run would pay is not worth an approval. */
function refuseUnapprovable({ document }: PlanFile): void {
  if (document.planner === null)
    throw refused(
      'Nobody has signed this plan, so that nobody knows who must not approve it: payrun plan --key.',
    );
  if (!isAsPlanned(document))
    throw new PayrunError('not-a-plan', 'The plan was changed after it was signed. Do not approve it.');
  if (document.exit !== 0) throw refused('A run would refuse this plan: see above.');
  if (!document.names) throw refused('The plan was made without asking for names.');
}

/** By the list that a run will go by. */
function approverName({ document }: PlanFile, key: string): string {
  const { approvals, approvalsBefore, planner } = document;
  const policy = policyInForce({ now: approvals ?? undefined, before: approvalsBefore ?? undefined });
  if (!policy)
    throw refused('The configuration of this plan asks for no approvals ("approvals", "approvers").');
  if (planner?.key === key) throw refused('You have planned it: somebody else has to approve it.');
  const name = nameOfKey(policy, key);
  if (name === undefined) throw refused(`Your key ${key} is not in the list of those who may approve.`);
  return name;
}

function refused(message: string): PayrunError {
  return new PayrunError('approvals', message);
}
