import type { FailureCode } from '#contract/kit/failure-code.ts'

/** A call that did not succeed: refused, failed, or never answered. */
export class ApiFailure extends Error {
  /** The HTTP status; 200 for a refusal that belongs to the business, 0 when nobody answered. */
  readonly status: number
  /** Why, in a word to decide by; undefined when the answer did not come from the portal. */
  readonly code: FailureCode | undefined
  /** The id under which the server's log tells what happened. */
  readonly referenceId: string | undefined

  constructor(status: number, err: string, code?: FailureCode, cause?: unknown) {
    const { message, referenceId } = splitReferenceId(err)
    super(message, { cause })
    this.name = 'ApiFailure'
    this.status = status
    this.code = code
    this.referenceId = referenceId
  }

  /** The text for a person: what happened, and the reference id in parentheses. */
  get text(): string {
    return this.referenceId ? `${this.message} (${this.referenceId})` : this.message
  }
}

export const UNREACHABLE = 'The portal cannot be reached. Check your connection and try again.'
const SESSION_ENDED = 'Your session has ended. Please sign in again.'

export function failureText(error: unknown): string {
  return error instanceof ApiFailure ? error.text : String(error instanceof Error ? error.message : error)
}

/** No answer, or that of a gateway: what the server did, nobody knows. */
const UNCERTAIN = [0, 502, 504]

/** For the person whose save has failed. */
export function unsavedText(error: unknown): string {
  const text = failureText(error)
  const isUncertain = error instanceof ApiFailure && UNCERTAIN.includes(error.status)
  return isUncertain ? `${text} Your changes may not have been saved.` : `Nothing was saved. ${text}`
}

export function isClientError(error: unknown): boolean {
  return error instanceof ApiFailure && error.status >= 400 && error.status < 500
}

/** The caller has too few rights, or no longer enough of them. */
export function isForbidden(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && error.status === 403
}

/** Whether a call failed for this reason. The text is for people and may change. */
export function hasCode(error: unknown, code: FailureCode): error is ApiFailure {
  return error instanceof ApiFailure && error.code === code
}

/** An answer that is not ours (a proxy's error page) still has to say something that a person can use. */
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
