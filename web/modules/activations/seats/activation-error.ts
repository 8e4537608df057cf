import { activationErrorText } from '#domain/activations/seats/activation-error.ts'
import { ApiError } from '#web/lib/api/api-error.ts'

/** Something of this screen could not be loaded. The message is what the banner says. */
export class ActivationError extends Error {
  override readonly name = 'ActivationError'

  /** The call has had its own retries. */
  readonly isRetried: boolean

  constructor(otherwise: string, cause: unknown, { isRetried = false } = {}) {
    super(activationErrorText(rawText(cause), otherwise), { cause })
    this.isRetried = isRetried
  }
}

/** The text as the server sent it, reference id included: known causes are recognized by it. */
export function rawText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  return error.referenceId ? `${error.message} reference id [${error.referenceId}]` : error.message
}

/** The server's own words where it refused for a reason that a person can do something about. */
export function refusalText(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  return ['INTERNAL_ERROR', 'UNAVAILABLE'].includes(error.code) ? undefined : error.message
}
