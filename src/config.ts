import * as z from 'zod';
import { configInvalid, type readConfig } from './config-file.ts';
import { approverOf } from './domain/approval/approval-policy.ts';
import { type DurationBounds, durationBounds, isWithin, parseDuration } from './domain/duration.ts';
import { fields } from './domain/row.ts';

const duration = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, 'a duration such as 500ms, 30s, 10m or 24h')
  .meta({ description: 'A duration such as 500ms, 30s, 10m or 24h' });

const durationFrom = (bounds: DurationBounds) =>
  duration.refine(
    (text) => isWithin(parseDuration(text) ?? 0, bounds),
    `a duration from ${bounds.least} to ${bounds.most}`,
  );

const verdictPolicy = z.enum(['hold', 'pay']);

/** payrun.config.json. Secrets have no place in it; flags and the environment come before it. */
export const configSchema = z
  .strictObject({
    $schema: z.string(),
    baseUrl: z.url().meta({ description: 'The service; PAYRUN_BASE_URL' }),
    apiPrefix: z
      .string()
      .regex(/^\/[\w/-]+$/)
      .meta({ description: 'Where its paths begin; PAYRUN_API_PREFIX' }),
    publicKey: z.string().meta({ description: 'PAYRUN_PUBLIC_KEY' }),
    journalUrl: z.string().refine(hasNoPassword, 'the address of a Postgres without a password').meta({
      description:
        'Where a shared journal stands, without a password: postgres://user@host/database; PAYRUN_JOURNAL_URL',
    }),
    phonePlus: z.boolean().meta({ description: 'Send phone numbers with their plus; default true' }),
    timezone: z
      .string()
      .refine(isTimeZone, 'a time zone such as Africa/Nairobi')
      .meta({ description: 'For dates in batch names, such as Africa/Nairobi; default the machine’s' }),
    columns: z.record(z.string(), z.enum([...fields, 'phoneOrAccount', 'none'])).meta({
      description:
        'Headers to fields, as --map; phoneOrAccount as the destination of each row says; none leaves a column out',
    }),
    defaults: z
      .partialRecord(z.enum(fields), z.string())
      .meta({ description: 'For absent columns, as --default' }),
    banks: z.record(z.string(), z.string()).meta({ description: 'Bank names to codes' }),
    concurrency: z.number().int().min(1).max(256),
    rate: z.number().positive(),
    timeout: durationFrom(durationBounds.timeout),
    quietPeriod: duration,
    resends: z.number().int().min(0).max(10),
    settleFor: duration,
    repeatWindow: durationFrom(durationBounds.repeatWindow),
    namesMaxAge: duration,
    pendingFor: durationFrom(durationBounds.pendingForInConfig).meta({
      description:
        'decide --not-paid takes a payout that has been pending for this long; default 7d, and no less here',
    }),
    notice: z
      .number()
      .min(0)
      .max(1000)
      .meta({ description: 'Report amounts that changed by more than this many per cent' }),
    onClose: verdictPolicy,
    onMismatch: verdictPolicy,
    onUnchecked: verdictPolicy,
    approvals: z
      .number()
      .int()
      .min(1)
      .max(10)
      .meta({ description: 'How many people besides the planner must approve a plan before it is paid' }),
    approvers: z
      .array(
        z
          .string()
          .refine(
            (line) => approverOf(line) !== undefined,
            'a line that payrun keys new printed: ed25519:… and a name',
          ),
      )
      .meta({ description: 'Who may plan and approve: the lines that payrun keys new prints' }),
  })
  .partial()
  .meta({ id: 'Config', title: 'payrun.config.json' });

export type Config = z.output<typeof configSchema>;

export function checkConfig(file: ReturnType<typeof readConfig>): Config {
  if (!file) return {};
  const parsed = configSchema.safeParse(file.content);
  if (!parsed.success) throw configInvalid(file.path, z.prettifyError(parsed.error));
  const trouble = approvalsTrouble(parsed.data);
  if (trouble !== undefined) throw configInvalid(file.path, trouble);
  return parsed.data;
}

/** What could never be fulfilled, or is not what somebody meant. */
function approvalsTrouble({ approvals, approvers }: Config): string | undefined {
  if (approvals === undefined)
    return approvers === undefined
      ? undefined
      : 'approvers are listed, and approvals does not say how many are needed';
  const keys = new Set((approvers ?? []).map((line) => approverOf(line)?.key));
  if (keys.size < (approvers ?? []).length) return 'approvers lists a key twice';
  if (keys.size > approvals) return undefined;
  return `approvals: ${approvals} needs at least ${approvals + 1} approvers, for one plans and the others approve`;
}

function hasNoPassword(text: string): boolean {
  return URL.canParse(text) && new URL(text).password === '';
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
