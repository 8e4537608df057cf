import { Type } from 'typebox'

/** Why a call failed. Programs decide by the code and never by the text. */
const FAILURE_CODES = [
  // The HTTP status says as much.
  'INVALID_REQUEST',
  'NOT_SIGNED_IN',
  'NOT_ALLOWED',
  'NOT_FOUND',
  'CONFLICT',
  'TOO_LARGE',
  'TOO_MANY_REQUESTS',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
  /** 409: somebody else has saved since the caller loaded. */
  'STALE',
  // Business refusals: HTTP 200.
  'TOO_MANY_ROWS',
  'TOO_MANY_DISTINCT',
  'LIST_TIMEOUT',
  'TOO_MANY_EXPORTS',
  'EXPORT_SPACE_USED',
  'NO_DISK_SPACE',
  'NO_ELASTIC_SERVER',
  'LAST_ADMINISTRATOR',
  'FEATURE_CONFLICT',
  'EMAIL_NOT_FAILED',
  'MESSAGE_NOT_FAILED',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

export const FailureCode = Type.Unsafe<FailureCode>({
  type: 'string',
  enum: FAILURE_CODES,
  description: 'Why the call failed, for programs to decide by.',
})

const CODE_OF_STATUS: Readonly<Record<number, FailureCode>> = {
  401: 'NOT_SIGNED_IN',
  403: 'NOT_ALLOWED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'TOO_LARGE',
  429: 'TOO_MANY_REQUESTS',
  503: 'UNAVAILABLE',
}

/** The code of a failure that says no more than its HTTP status. */
export function codeOfStatus(status: number): FailureCode {
  return CODE_OF_STATUS[status] ?? (status >= 500 ? 'INTERNAL_ERROR' : 'INVALID_REQUEST')
}
