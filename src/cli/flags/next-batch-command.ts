import type { Config } from '../../config.ts';
import type { RebindCommand } from '../../domain/environment/other-environment.ts';
import { shellWord } from '../../domain/text/shell-word.ts';
import { type ReadWith, type RunSummary, readWithWords } from '../../index.ts';
import type { NextCommands } from '../../report/run-report.ts';
import type { WorkspaceFlags } from './workspace-flags.ts';

/** A command about a batch, as it can be copied into a shell; it speaks to the same journal as this one. */
export function nextBatchCommand(
  command: string,
  batch: string,
  flags: WorkspaceFlags,
  ...more: readonly string[]
): string {
  return workspaceCommand([command, batch, ...more], flags);
}

/** A command that speaks to the same journal as this one. */
export function workspaceCommand(words: readonly string[], flags: WorkspaceFlags): string {
  const where = [
    ...(flags.workspace === undefined ? [] : ['--workspace', flags.workspace]),
    ...(flags.sandbox ? ['--sandbox'] : []),
    ...(flags.config === undefined ? [] : ['--config', flags.config]),
  ];
  return ['payrun', ...words, ...where].map(shellWord).join(' ');
}

/** With the reason left to whoever types it. */
export function commandToRebind(flags: WorkspaceFlags): RebindCommand {
  return (batch) => `${nextBatchCommand('rebind', batch, flags)} --reason "…"`;
}

/**
 * The command that pays a retry file of a batch: with what the batch's own file needed to be read. Where others have to
 * approve, the one that plans it.
 */
export function runFileCommand(
  readWith: ReadWith,
  flags: WorkspaceFlags,
  { approvals }: Pick<Config, 'approvals'> = {},
): (path: string) => string {
  const words = readWithWords(readWith);
  return (path) =>
    approvals === undefined
      ? nextBatchCommand('run', path, flags, ...words)
      : nextBatchCommand('plan', path, flags, ...words, '--out', 'PLAN.json', '--key', 'KEY');
}

export function commandsAfterRun(
  { batch, readWith }: RunSummary,
  flags: WorkspaceFlags,
  config: Pick<Config, 'approvals'>,
): NextCommands {
  return {
    resume: nextBatchCommand('resume', batch, flags),
    status: nextBatchCommand('status', batch, flags),
    log: (payment) => nextBatchCommand('log', batch, flags, '--payment', payment),
    runRetry: runFileCommand(readWith, flags, config),
  };
}
