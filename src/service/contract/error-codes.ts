/** The error codes of the specification, with the messages as returned. */
export const errorCode = {
  validation: 'VALIDATION_ERROR',
  referenceUsed: 'E-API-D.S-28',
  accountNumberInUse: 'E-BEN.S-35',
  externalAccountMissing: 'E-BEN.S-90',
  accountDoesNotExist: 'E-CH-PY.S-37',
  noBranches: 'E-API-UT.S-39',
  userDoesNotExist: 'E-B2B-S-118',
} as const;

/** Codes of the embedded service where the specification shows none (assumption `further-error-codes`). */
export const sandboxErrorCode = {
  insufficientBalance: 'E-API-P.S-41',
  railNotResolvable: 'E-CH-PY.S-38',
  payoutRefused: 'E-API-P.S-42',
  authorisationFailed: 'E-API-D.S-31',
  unauthorised: 'E-GEN.S-01',
  notFound: 'E-GEN.S-04',
  methodNotAllowed: 'E-GEN.S-05',
  tooLarge: 'E-GEN.S-13',
  tooMany: 'E-GEN.S-29',
  unavailable: 'E-GEN.S-50',
} as const;

export type ErrorCode =
  | (typeof errorCode)[keyof typeof errorCode]
  | (typeof sandboxErrorCode)[keyof typeof sandboxErrorCode];

/** Status and text of each failure (assumption `error-statuses`). */
export const failureOf: Record<ErrorCode, { readonly status: number; readonly message: string }> = {
  VALIDATION_ERROR: { status: 400, message: 'Validation error' },
  'E-API-D.S-28': { status: 409, message: 'External reference already used.' },
  'E-BEN.S-35': { status: 409, message: 'Account number already in use.' },
  'E-BEN.S-90': { status: 404, message: 'Missing external account!' },
  'E-CH-PY.S-37': { status: 404, message: 'Account does not exist.' },
  'E-API-UT.S-39': { status: 404, message: 'No branches found for specified bank id' },
  'E-B2B-S-118': { status: 404, message: 'User does not exist' },
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

/** The message of the specification's sample for the one validation error it shows. */
export const branchCodeMessage = 'Validation error: Branch code is required for UG and TZ.';
