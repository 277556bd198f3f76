import type { InferredOptionTypes } from 'yargs';
import { nameOfKey, policyInForce } from '../../domain/approval/approval-policy.ts';
import type { Signer } from '../../domain/approval/signing-key.ts';
import { shellWord } from '../../domain/text/shell-word.ts';
import { PayrunError } from '../../errors.ts';
import type { ApprovalPolicies } from '../../index.ts';
import { type PlanDocument, planDocument } from '../../report/plan-document.ts';
import { planReport } from '../../report/plan-report.ts';
import { signPlan } from '../../report/signed-plan.ts';
import { jsonText, terminalText } from '../../report/terminal-text.ts';
import { sourceOf, withFile } from '../flags/file-flags.ts';
import { jsonFlag, switchFlag, textFlag } from '../flags/flag-kinds.ts';
import { nextCommand } from '../flags/next-command.ts';
import { planCommand as runByPlan, shapingFlags } from '../flags/plan-file-flags.ts';
import { type PlanFlags, planFlags, planOptions, planSettings } from '../flags/plan-flags.ts';
import { usageError } from '../flags/usage-error.ts';
import { operatorName } from '../setup/operator.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { keyFlags, signerOf, silentTerminal } from '../setup/signing-keys.ts';
import { setV8Flags } from '../setup/v8-flags.ts';
import { printPieces, printText } from '../terminal/print.ts';
import { writeExtraFiles, writePlan } from '../terminal/write-extra-files.ts';
import type { Command } from './command.ts';

const options = {
  ...planFlags,
  'check-names': switchFlag('Ask the service for the name of every account'),
  json: jsonFlag,
  out: textFlag('Write the plan to this file, as JSON: payrun run --plan pays by it'),
  ...keyFlags,
};

type Flags = PlanFlags & InferredOptionTypes<typeof options>;

export const planCommand: Command<Flags> = {
  builder: (yargs) => withFile(yargs).options(options),
  handler: async (flags) => {
    setV8Flags();
    // A wrong passphrase is said before anything else is done.
    const signer = await planSigner(flags);
    const planning = { ...planOptions(flags), checkNames: flags['check-names'] || signer !== undefined };
    const opened = await payrunOf(flags, planSettings(flags));
    const source = sourceOf(flags.file);
    return withPayrun(opened, async (payrun) => {
      // A plan that is to be paid is made where it is paid: the sandbox of no workspace ends with the command.
      if (flags.out !== undefined && flags.sandbox) await payrun.init();
      const remembers = await payrun.remembers();
      const planned = await payrun.plan(source, planning);
      const options = shapingFlags(flags);
      const policies = await payrun.approvalPolicies();
      const setting = {
        file: flags.file,
        kind: opened.kind ? opened.word : null,
        remembers,
        options,
        policies,
      };
      const made = planDocument(planned, setting);
      const document = signer ? signed(made, signer, policies) : made;
      if (flags.out !== undefined) await writePlan(flags.out, flags.file, document);
      const written = flags.out === undefined ? [] : [`The plan is in ${flags.out}.`];
      const said = [...written, ...(await writeExtraFiles(flags, planned.drafted))];
      for (const each of said) process.stderr.write(terminalText(`${each}\n`));
      if (flags.json) await printPieces([`${jsonText(document)}\n`]);
      else {
        const commands = {
          run: nextAfterPlan(flags, policies),
          plan: nextCommand('plan', flags),
          skipInvalid: nextCommand('plan', flags, '--skip-invalid'),
        };
        await printText(planReport(planned, { ...setting, commands }));
      }
      process.exitCode = planned.exit;
    });
  },
};

async function planSigner(flags: Flags): Promise<Signer | undefined> {
  if (flags.key === undefined) return undefined;
  if (flags.out === undefined) throw usageError('--key signs a plan file: name it with --out.');
  return signerOf(flags.key, flags['passphrase-file'], silentTerminal());
}

function signed(document: PlanDocument, signer: Signer, policies: ApprovalPolicies): PlanDocument {
  const policy = policyInForce(policies);
  const name = policy ? nameOfKey(policy, signer.key) : operatorName();
  if (name === undefined)
    throw new PayrunError(
      'approvals',
      `Your key ${signer.key} is not in the list of those who may plan and approve ("approvers" in the configuration).`,
    );
  return signPlan(document, signer, { name, at: new Date().toISOString() });
}

/** Where others have to approve, they come next. */
function nextAfterPlan(flags: Flags, { now, before }: ApprovalPolicies): string {
  const isApproved = now !== undefined || before !== undefined;
  if (flags.out === undefined)
    return isApproved
      ? nextCommand('plan', flags, '--out', 'PLAN.json', '--key', 'KEY')
      : nextCommand('run', flags);
  const run = runByPlan({ ...flags, plan: flags.out });
  return isApproved
    ? `somebody else approves it: payrun approve ${shellWord(flags.out)} --key KEY\nThen: ${run}`
    : run;
}
