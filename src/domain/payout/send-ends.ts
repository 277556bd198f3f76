/** How one send ended, as it is journaled. */
export const sendOutcomes = {
  ok: 'The service took it and named a transaction.',
  refused: 'The service did not take it, and said why.',
  answered: 'The service asked for another call and did nothing (401, 429).',
  unknown: 'It left, and what became of it is not known.',
  'not-sent': 'No byte left.',
} as const;

export type SendOutcome = keyof typeof sendOutcomes;

/** What exactly ended it. Codes are stable: rules about sending again go by them, and never by words. */
export const sendCodes = {
  accepted: 'The service named a transaction for it.',
  'transaction-taken': 'The service named a transaction that is known as another payout’s.',
  refused: 'The service refused it with an error code.',
  'reference-used': 'The service says that the reference was used already.',
  unauthorised: 'The service did not accept the token (401).',
  'too-many-requests': 'The service asked for fewer calls (429).',
  'cut-off': 'payrun ended before the service answered.',
  'timed-out': 'The service did not answer in time.',
  'connection-lost': 'The connection was lost before the answer.',
  aborted: 'payrun was stopped while it waited.',
  redirected: 'The service pointed to another address, which is not followed.',
  'request-timeout': 'The service says that the request took too long (408).',
  'server-error': 'The service failed (5xx).',
  'unexpected-status': 'The service answered with a status that means nothing here.',
  'reply-cut-off': 'The connection was lost in the middle of the answer.',
  'reply-too-large': 'The answer is larger than payrun accepts.',
  'reply-not-json': 'The answer is not readable.',
  'reply-not-understood': 'The answer is not what the contract says.',
  'no-error-code': 'The service reports a failure without an error code.',
  'connection-refused': 'Nobody listens at the address.',
  'host-not-found': 'The name of the host was not found.',
  'tls-failed': 'No secure connection came about.',
  'connection-failed': 'No connection came about.',
  'not-sent-in-time': 'No connection came about in time.',
  'too-late': 'More than 5 s had passed since its intent was to be written: it was not sent any more.',
  closed: 'The connection was closed already.',
  'token-refused': 'The service gave no token: it refused the credentials.',
  'token-unavailable': 'The service gave no token.',
  noted: 'Journaled by an earlier version of payrun, which knew no code for it.',
} as const;

export type SendCode = keyof typeof sendCodes;

/** How a send ended, with the service's own words as evidence. */
export interface SendEnd {
  readonly outcome: SendOutcome;
  readonly code: SendCode;
  /** The service's, where it gave one. */
  readonly errorCode?: string | undefined;
  /** The service's, made plain. */
  readonly words?: string | undefined;
}
