import type { FailureCode } from '#contract/kit/failure-code.ts'

/** Something the caller did: the message is for them, the status says what kind of thing it was. */
export class Problem extends Error {
  readonly statusCode: number
  constructor(statusCode: 400 | 401 | 403 | 404 | 409 | 413 | 421 | 429, message: string) {
    super(message)
    this.statusCode = statusCode
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
