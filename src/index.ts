/** The library's face. The command line is its first user. */
export { type Clock, systemClock } from './clock.ts';
export { type ExitCode, exitCode, PayrunError } from './errors.ts';
export { type BatchRecord, readBatch } from './journal/batch-record.ts';
export { type JournalDatabase, openJournal } from './journal/open-journal.ts';
export type { RunSummary } from './pipeline/finish-run.ts';
export { type PlannedFile, planFile } from './pipeline/plan-file.ts';
export { type ResumeParts, resumeBatch } from './pipeline/resume-batch.ts';
export type { OnEvent, RunEvent } from './pipeline/run/run-events.ts';
export { type RunBatchOptions, type RunBatchParts, type RunResult, runBatch } from './pipeline/run-batch.ts';
export { type Sandbox, startSandbox } from './sandbox/start-sandbox.ts';
export { connectService, type Service } from './service/client.ts';
