/** The library: one face, and every type that its signatures name. The command line uses nothing else that acts. */
export { type Clock, systemClock } from './clock.ts';
export type { Config } from './config.ts';
export type { ApprovalPolicies } from './domain/approval/approval-policy.ts';
export type { Environment, EnvironmentKind } from './domain/environment/environment.ts';
export type { Minor } from './domain/money/money.ts';
export type { Payout } from './domain/payout/payout.ts';
export type { ErrorCode } from './error-codes.ts';
export { type ExitCode, exitCode, PayrunError } from './errors.ts';
export { type ReadWith, readWithWords } from './journal/read-with.ts';
export type { RememberedNames } from './journal/released-names.ts';
export type { BatchStatus } from './library/batch-status.ts';
export type { LaterAccess, ServiceAccess, ServiceChoice } from './library/connect.ts';
export type { Decided } from './library/decisions.ts';
export type { Amounts, FileOptions, PlanOptions } from './library/file-options.ts';
export type { GivenApproval } from './library/judge-approvals.ts';
export type { PendingQuestion } from './library/not-paid-decision.ts';
export { openPayrun, type Payrun } from './library/open-payrun.ts';
export type {
  BatchListOptions,
  Claim,
  DecideOptions,
  DecisionOptions,
  PayrunOptions,
  RepeatOptions,
  ResumeOptions,
  RunOptions,
  WorkOptions,
} from './library/payrun-options.ts';
export type {
  HandCall,
  HandOptions,
  HandReply,
  HandRequest,
  ServiceByHand,
} from './library/service-by-hand.ts';
export type { GivenSettings, Settings } from './library/settings.ts';
export type { WorkTold } from './library/work-told.ts';
export type { DraftedFile } from './pipeline/draft/drafted-file.ts';
export type { RebindQuestion } from './pipeline/environment/rebind-at-run.ts';
export type { Rebound } from './pipeline/environment/rebind-batch.ts';
export type { RunSummary } from './pipeline/finish-run.ts';
export { amountsToType, goesNow } from './pipeline/plan/goes-now.ts';
export { toSendNow } from './pipeline/plan/plan.ts';
export type { PlannedFile } from './pipeline/plan/planned-file.ts';
export type { PlacedReport } from './pipeline/results/place-report.ts';
export type { OnEvent, RunEvent, Stage } from './pipeline/run/run-events.ts';
export type { RunResult } from './pipeline/run-batch.ts';
export type { Audit } from './report/audit-report.ts';
export type { ListedBatch } from './report/batch-list.ts';
export type { LogOfBatch } from './report/log-report.ts';
export { createPulse, type Pulse } from './service/pulse.ts';
export { workspaceExists } from './workspace.ts';
