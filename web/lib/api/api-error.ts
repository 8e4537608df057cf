import { codeOfStatus, type FailureCode } from '#contract/kit/failure-code.ts'

/**
 * Why a call failed. In addition to the codes of the contract: NO_ANSWER if nobody knows whether the call succeeded,
 * TIMEOUT if the browser stopped waiting for a list, REFUSED for a refusal without a code.
 */
type Code = FailureCode | 'NO_ANSWER' | 'TIMEOUT' | 'REFUSED'

/** A call that was refused, failed, or got no answer. */
export class ApiError extends Error {
  /** The HTTP status; 200 for a business refusal, 0 without an answer. */
  readonly status: number
  /** Use this to tell failures apart, never the text or the status. */
  readonly code: Code
  /** The id of the failure in the log of the server. */
  readonly referenceId: string | undefined

  constructor(status: number, err: string, code?: Code, cause?: unknown) {
    const { message, referenceId } = splitReferenceId(err)
    super(message, { cause })
    this.name = 'ApiError'
    this.status = status
    this.code = code ?? codeWithoutAnswer(status)
    this.referenceId = referenceId
  }

  /** The text for a person: what happened, and the reference id in parentheses. */
  get text(): string {
    return this.referenceId ? `${this.message} (${this.referenceId})` : this.message
  }
}

/** Somebody else has saved since the form was loaded. The server sends both versions. */
export class ConflictError extends ApiError {
  readonly versions: Versions
  constructor(err: string, versions: Versions) {
    super(409, err, 'STALE')
    this.versions = versions
  }
}
export type Versions = { readonly current: unknown; readonly yours: unknown }

/** A batch of which nothing was done. The lines say what is wrong with which element. */
export class BatchError extends ApiError {
  readonly lines: readonly RefusedLine[]
  constructor(err: string, code: Code | undefined, lines: readonly RefusedLine[]) {
    super(200, err, code)
    this.lines = lines
  }
}
export type RefusedLine = { readonly id?: string; readonly code?: FailureCode; readonly err?: string }

export const UNREACHABLE = 'The portal cannot be reached. Check your connection and try again.'
const SESSION_ENDED = 'Your session has ended. Please sign in again.'

export function failureText(error: unknown): string {
  return error instanceof ApiError ? error.text : String(error instanceof Error ? error.message : error)
}

/** The text after a failed action. `notDone` names the action: "Nothing was deleted." */
export function unsavedText(error: unknown, notDone = 'Nothing was saved.'): string {
  const text = failureText(error)
  return hasCode(error, 'NO_ANSWER') ? `${text} Your changes may not have been saved.` : `${notDone} ${text}`
}

/** Whether a call failed for one of these reasons. */
export function hasCode(error: unknown, ...codes: readonly Code[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code)
}

/** A retry may succeed. */
export function isTemporary(error: unknown): boolean {
  return hasCode(error, 'NO_ANSWER', 'INTERNAL_ERROR', 'UNAVAILABLE')
}

/** The server understood the call and refused it. A retry would be refused again. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && !isTemporary(error) && error.code !== 'TIMEOUT'
}

/** After a 502 or 504 of a gateway nobody knows what the server did. */
function codeWithoutAnswer(status: number): Code {
  if ([0, 502, 504].includes(status)) return 'NO_ANSWER'
  return status < 300 ? 'REFUSED' : codeOfStatus(status)
}

/** A text for answers that do not come from the portal, such as the error page of a proxy. */
export function textForStatus(status: number): string {
  if (status === 401) return SESSION_ENDED
  if (status === 403) return 'You do not have enough permissions for such operation.'
  if (status === 413) return 'The request is too large.'
  if (status === 429) return 'Too many requests. Please wait a moment and try again.'
  return `The portal could not answer (status ${status}). Please try again.`
}

function splitReferenceId(err: string): { message: string; referenceId: string | undefined } {
  const found = /\s*\(?reference id \[([0-9a-f]{32})\]\)?/i.exec(err)
  return found
    ? { message: err.replace(found[0], '').trim(), referenceId: found[1] }
    : { message: err, referenceId: undefined }
}
