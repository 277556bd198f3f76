import { shellWord } from '../../domain/text/shell-word.ts';
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
