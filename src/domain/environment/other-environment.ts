import { type MissingPayout, missingLines } from '../payout/missing-payout.ts';
import { readableText } from '../text/readable-text.ts';
import { shellWord } from '../text/shell-word.ts';
import {
  type Environment,
  type EnvironmentPart,
  environmentChanges,
  environmentText,
} from './environment.ts';

interface BoundBatch {
  readonly name: string;
  readonly environment: Environment;
}

/** The command that binds a batch to the account of today, as it can be copied into a shell. */
export type RebindCommand = (batch: string) => string;

const plainCommand: RebindCommand = (batch) => `payrun rebind ${shellWord(batch)} --reason "…"`;

/** What the batch was begun with and what it is now; undefined where nothing that is known differs. */
export function otherEnvironment(
  batch: BoundBatch,
  now: Environment,
  command: RebindCommand = plainCommand,
): string | undefined {
  const changed = changedParts(batch.environment, now);
  if (changed === '') return undefined;
  return `Batch ${batch.name} was begun in ${environmentText(batch.environment)}, this is ${environmentText(now)}: ${changed}. Use the settings that the batch was begun with. If it is the same account with a new e-mail, key or address, run: ${command(batch.name)}`;
}

/** `the e-mail of the profile was a@b and is c@d now` for each part; empty where none differs. */
export function changedParts(was: Environment, now: Environment): string {
  return environmentChanges(was, now)
    .map((change) => `${partNames[change.part]} was ${shown(change.was)} and is ${shown(change.now)} now`)
    .join(', ');
}

/** Of a batch that is not rebound: what the account of today would have to show, and does not. */
export function notRebound(
  batch: BoundBatch,
  sent: { readonly found: number; readonly missing: number; readonly first: readonly MissingPayout[] },
): string {
  const all = sent.found + sent.missing;
  return [
    `Batch ${batch.name} still belongs to ${environmentText(batch.environment)}. The account of these settings does not show ${sent.missing} of ${all} payouts that were sent, so that they could be paid a second time from it:`,
    missingLines(sent.first, sent.missing),
    `Nothing was changed and nothing was sent. ${wayOut}`,
  ].join('\n');
}

const wayOut =
  'Use the settings that the batch was begun with. Where they are gone and the service has told you that a payout was not paid, say so with payrun decide --not-paid.';

/** Of a batch that an earlier version began, which kept less of the account. */
export function accountUnproven(batch: BoundBatch, missing: readonly MissingPayout[]): string {
  return [
    `Batch ${batch.name} was begun in ${environmentText(batch.environment)} by an earlier version of payrun, which kept no keys: whether it is this account is not known. The account of these settings does not show ${missing.length} payouts that were sent and have not ended:`,
    missingLines(missing, missing.length),
    `Nothing was sent. ${wayOut}`,
  ].join('\n');
}

const partNames: Readonly<Record<EnvironmentPart, string>> = {
  place: 'the address of the service',
  email: 'the e-mail of the profile',
  profileKey: 'the public key of the profile',
  configuredKey: 'the configured public key (PAYRUN_PUBLIC_KEY)',
};

function shown(value: string): string {
  return value === '' ? 'empty' : readableText(value);
}
