import type { FailureCode } from '#contract/kit/failure-code.ts'

/** The body of every error. */
export const failure = (code: FailureCode, err: string) => ({ status: 'FAILURE' as const, code, err })

/** The body of every answer, with fields such as a continuation token next to `data`. */
export const success = <T extends { data: unknown }>(answer: T) => ({ status: 'SUCCESS' as const, ...answer })

/** JSON text that the database has rendered; it is sent unchanged. */
export class ReadyJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A SUCCESS answer around data that is JSON already, with further fields such as a continuation token. */
export function successJson(data: string, extraFields: Readonly<Record<string, unknown>> = {}): ReadyJson {
  const rest = Object.entries(extraFields).map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return new ReadyJson(`{"status":"SUCCESS","data":${data}${rest.join('')}}`)
}

/** An answer in the form of a standard, with its own status and headers. Without a body, there is none on the wire either. */
export class WireAnswer {
  readonly status: number
  readonly body: object | undefined
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, body?: object, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}
