/** The failures of the specification, with the messages as returned; the statuses are assumption `error-statuses`. */
export const specifiedFailures = {
  VALIDATION_ERROR: { status: 400, message: 'Validation error' },
  'E-API-D.S-28': { status: 409, message: 'External reference already used.' },
  'E-BEN.S-35': { status: 409, message: 'Account number already in use.' },
  'E-BEN.S-90': { status: 404, message: 'Missing external account!' },
  'E-CH-PY.S-37': { status: 404, message: 'Account does not exist.' },
  'E-API-UT.S-39': { status: 404, message: 'No branches found for specified bank id' },
  'E-B2B-S-118': { status: 404, message: 'User does not exist' },
};

/** And those of the embedded service where the specification shows none (assumption `further-error-codes`). */
export const failureOf = {
  ...specifiedFailures,
  'E-API-P.S-41': { status: 400, message: 'Insufficient balance.' },
  'E-CH-PY.S-38': { status: 400, message: 'Account resolution is not supported for this rail.' },
  'E-API-P.S-42': { status: 400, message: 'Payout refused by the provider.' },
  'E-API-D.S-31': { status: 400, message: 'Authorisation failed.' },
  'E-GEN.S-01': { status: 401, message: 'Invalid or expired token.' },
  'E-GEN.S-04': { status: 404, message: 'Not found.' },
  'E-GEN.S-05': { status: 405, message: 'Method not allowed.' },
  'E-GEN.S-13': { status: 413, message: 'Request too large.' },
  'E-GEN.S-29': { status: 429, message: 'Too many requests.' },
  'E-GEN.S-50': { status: 503, message: 'Service unavailable.' },
};

export type ErrorCode = keyof typeof failureOf;

/** Those that payrun goes by. */
export const errorCode = {
  referenceUsed: 'E-API-D.S-28',
  accountNumberInUse: 'E-BEN.S-35',
  accountDoesNotExist: 'E-CH-PY.S-37',
} as const satisfies Record<string, ErrorCode>;

/** The message of the specification's sample for the one validation error it shows. */
export const branchCodeMessage = 'Validation error: Branch code is required for UG and TZ.';
