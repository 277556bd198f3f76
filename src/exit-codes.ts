/** Exit codes are a contract with scripts and cron jobs: never renumber one. */
export const exitCode = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  someNotPaid: 3,
  somePending: 4,
  stoppedEarly: 5,
  guardRefused: 6,
  fileInvalid: 65,
  fileMissing: 66,
  serviceUnreachable: 69,
  cannotCreate: 73,
  writeFailed: 74,
  locked: 75,
  credentialsRefused: 77,
  configuration: 78,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Worst first: which exit code speaks for several. */
const severity: readonly ExitCode[] = [1, 74, 73, 78, 77, 69, 5, 6, 65, 75, 4, 3, 0];

export function worstExit(one: ExitCode, other: ExitCode): ExitCode {
  const rank = (code: ExitCode) => (severity.includes(code) ? severity.indexOf(code) : 0);
  return rank(one) <= rank(other) ? one : other;
}
