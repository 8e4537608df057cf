import type { FailureCode } from '#contract/kit/failure-code.ts'

/** Something the caller did: the message is for them, the status says what kind of thing it was. */
export class Problem extends Error {
  readonly statusCode: number
  constructor(statusCode: 400 | 401 | 403 | 404 | 409 | 413 | 421 | 429, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

/** One person asks for more at a time than the server does for one person. */
export class TooManyCalls extends Problem {
  /** When to try again, in seconds. */
  readonly retryAfter = 2
  constructor(
    message = 'Too many of your list requests are running. Wait until some of them are done, then try again.',
  ) {
    super(429, message)
  }
}

/** Nobody reads the answer any more, so what it needs is not done. */
export class CallerGone extends Problem {
  constructor() {
    super(400, 'The connection was closed before the answer')
  }
}

/** Somebody else has saved meanwhile: the answer's `data` holds both versions, so that the form can show them. */
export class StaleSave extends Problem {
  readonly versions: { readonly current: unknown; readonly yours: unknown }
  constructor(message: string, versions: StaleSave['versions']) {
    super(409, message)
    this.versions = versions
  }
}

/** The business says no (HTTP 200, status FAILURE): nothing of the request is kept. */
export class Refusal extends Error {
  readonly code: FailureCode
  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
  }
}
