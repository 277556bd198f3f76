import { systemClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import {
  createPulse,
  type EnvironmentKind,
  type GivenSettings,
  openPayrun,
  type Payrun,
  type Pulse,
} from '../../index.ts';
import { findWorkspace, type WorkspaceFlags } from '../flags/workspace-flags.ts';
import { journalUrlOf } from './journal-url-of.ts';
import { operatorName } from './operator.ts';
import { type EnvironmentWord, noService, serviceOf, wordOf } from './service-of.ts';

/** payrun as the flags, the environment and the configuration of a command say. */
export interface OpenedPayrun {
  readonly payrun: Payrun;
  readonly config: Config;
  /** Undefined where no service is named: then only what was done is looked at. */
  readonly kind: EnvironmentKind | undefined;
  /** What the first line of the command calls it. */
  readonly word: EnvironmentWord;
  /** Whether the service answers. */
  readonly pulse: Pulse;
  readonly workspace: { readonly path: string; readonly exists: boolean };
}

export async function payrunOf(flags: WorkspaceFlags, settings: GivenSettings = {}): Promise<OpenedPayrun> {
  const { path, exists, config } = await findWorkspace(flags);
  const service = serviceOf(flags.sandbox, config);
  const pulse = createPulse(systemClock);
  const journalUrl = journalUrlOf(config);
  const operator = operatorName();
  const payrun = openPayrun({ workspace: path, journalUrl, service, settings, config, pulse, operator });
  return {
    payrun,
    config,
    kind: service === undefined ? undefined : payrun.kind,
    word: wordOf(payrun.kind, config),
    pulse,
    workspace: { path, exists },
  };
}

/** For what speaks to a service: with which one, or what is missing. */
export function requireService({ kind, config }: OpenedPayrun, otherwise?: string): EnvironmentKind {
  if (kind === undefined) throw noService(config, otherwise);
  return kind;
}

/** Opens, does it, and lets go whatever happens. */
export async function withPayrun(
  opened: OpenedPayrun,
  work: (payrun: Payrun) => Promise<void>,
): Promise<void> {
  try {
    await work(opened.payrun);
  } finally {
    await opened.payrun.close();
  }
}
