import type { PlanFile } from '../../report/plan-file.ts';
import type { PlanFlagValues } from '../../report/schemas/plan-settings-schema.ts';
import { workspaceCommand } from './next-batch-command.ts';
import { isPassing } from './next-command.ts';
import type { PlanFlags } from './plan-flags.ts';
import { shaping } from './shaping-flags.ts';
import { usageError } from './usage-error.ts';

type Shaping = Pick<PlanFlags, (typeof shaping)[number]>;

/** The flags that shape a plan, as far as they were given, to be kept in it. */
export function shapingFlags(flags: Shaping): PlanFlagValues {
  return Object.fromEntries(
    shaping.filter((name) => isGiven(flags[name])).map((name) => [name, flags[name]]),
  );
}

/**
 * The flags of a run by a plan: the plan brings those that shape it. Another one beside it would be a guess about which of
 * the two was agreed to.
 */
export function withPlanFlags<Flags extends Shaping & { batch?: string | undefined }>(
  flags: Flags,
  { document }: PlanFile,
): Flags {
  const twice = [...shaping.filter((name) => isGiven(flags[name])), ...(flags.batch ? ['batch'] : [])];
  if (twice.length > 0)
    throw usageError(
      `The plan says how its file is paid: leave out ${twice.map((name) => `--${name}`).join(', ')}, or make another plan.`,
    );
  return { ...flags, ...document.options, batch: document.batch };
}

/** How a run by a plan is said again. */
export function planCommand(
  flags: Parameters<typeof workspaceCommand>[1] & {
    readonly file: string;
    readonly plan: string;
    readonly approval?: string[];
  },
): string {
  const approvals = (flags.approval ?? []).flatMap((path) => ['--approval', path]);
  const file = isPassing(flags.file) ? ['FILE'] : [];
  return workspaceCommand(['run', ...file, '--plan', flags.plan, ...approvals], flags);
}

function isGiven(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== false && value !== 0;
}
