import { ApiError, isTemporary } from '#web/lib/api/api-error.ts'

const TIMEOUT = 300_000

/** A call that times out after five minutes. It is not retried, because a retry would take as long. */
export async function inTime<Answer>(
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(TIMEOUT)
  try {
    return await ask(AbortSignal.any([signal, timeout]))
  } catch (error) {
    if (timeout.aborted && !signal.aborted) throw new ApiError(0, 'data request timeout', 'TIMEOUT')
    throw error
  }
}

/** After retries, the error says how many attempts were made. Its cause is the last failure. */
export function failureAfterRetries(query: { error: Error | null; failureCount: number }): Error | undefined {
  const { error, failureCount } = query
  if (!(error instanceof ApiError) || !isTemporary(error)) return error ?? undefined
  const reference = error.referenceId ? ` reference id [${error.referenceId}]` : ''
  return new ApiError(
    error.status,
    `unable to fetch data after ${failureCount} attempts${reference}`,
    error.code,
    error,
  )
}
