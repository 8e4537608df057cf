import { codeOfStatus, type FailureCode } from '#contract/kit/failure-code.ts'
import { failure } from '#server/http/envelope.ts'

type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 421 | 429

/** A request that is refused: the message is for the caller, the status and the code say what kind of refusal it is. */
export class HttpError extends Error {
  readonly statusCode: 200 | ErrorStatus
  readonly code: FailureCode
  /** The audit log has an entry of this refusal. */
  isAudited = false
  constructor(statusCode: 200 | ErrorStatus, message: string, code: FailureCode = codeOfStatus(statusCode)) {
    super(message)
    this.name = new.target.name
    this.statusCode = statusCode
    this.code = code
  }

  /** The `data` of the answer. */
  get body(): object {
    return failure(this.code, this.message)
  }
}

/** A refusal by a business rule (HTTP 200, status FAILURE): the transaction is rolled back. */
export class BusinessRefusal extends HttpError {
  constructor(code: FailureCode, message: string) {
    super(200, message, code)
  }
}

/** Why one element of a batch was refused. */
export type Refusal = { readonly code: FailureCode; readonly err: string }
export const refusal = (code: FailureCode, err: string): Refusal => ({ code, err })

/** A batch of which nothing was done: `data` of the answer has the outcome of each element. */
export class BatchRefusal extends BusinessRefusal {
  readonly lines: readonly object[]
  constructor(code: FailureCode, message: string, lines: readonly object[]) {
    super(code, message)
    this.lines = lines
  }

  override get body(): object {
    return { ...super.body, data: this.lines }
  }
}

/**
 * Somebody else has saved in the meantime: `data` of the answer holds both versions, so that the form can show them.
 */
export class ConflictError extends HttpError {
  readonly versions: { readonly current: unknown; readonly yours: unknown }
  constructor(message: string, versions: ConflictError['versions']) {
    super(409, message, 'STALE')
    this.versions = versions
  }

  override get body(): object {
    return { ...super.body, data: this.versions }
  }
}

/** An error of RFC 7644, which says more precisely what is wrong with a SCIM request. */
export class ScimError extends HttpError {
  readonly scimType: string | undefined
  constructor(statusCode: ErrorStatus, message: string, scimType?: string) {
    super(statusCode, message)
    this.scimType = scimType
  }

  override get body(): object {
    return { ...super.body, scimType: this.scimType }
  }
}

/** One caller has more simultaneous calls than the limit. */
export class TooManyCallsError extends HttpError {
  /** When to try again, in seconds. */
  readonly retryAfter = 2
  constructor(message = 'Too many of your requests are running. Wait until some of them are done, then try again.') {
    super(429, message)
  }
}

/** The caller has disconnected, so the work for the answer is canceled. */
export class CallerGoneError extends HttpError {
  constructor() {
    super(400, 'The connection was closed before the answer')
  }
}
