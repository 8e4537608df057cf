import { ApiFailure, isClientError } from '#web/lib/api-failure.ts'

const RETRIES = 5
const DELAY_STEP = 100
const TIMEOUT = 300_000

type Options = { signal: AbortSignal; wait?: (milliseconds: number) => Promise<void> }

/** Asks up to five more times, each a little later, unless the server understood the question and said no. */
export async function askAgain<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  options: Options,
): Promise<Answer> {
  const { signal, wait = pause } = options
  for (let attempt = 1; ; attempt++) {
    const timeout = AbortSignal.timeout(TIMEOUT)
    try {
      return await ask(AbortSignal.any([signal, timeout]))
    } catch (error) {
      if (timeout.aborted) throw new ApiFailure(0, 'data request timeout')
      if (signal.aborted || isFinal(error)) throw error
      if (attempt > RETRIES) throw afterAttempts(attempt, error)
    }
    await wait(attempt * DELAY_STEP)
    signal.throwIfAborted()
  }
}

/** Refusals of the business come with status 200: asking again would not change them. */
function isFinal(error: unknown): boolean {
  return !(error instanceof ApiFailure) || isClientError(error) || error.status === 200
}

function afterAttempts(attempts: number, error: unknown): ApiFailure {
  const { status, code, referenceId } = error as ApiFailure
  const reference = referenceId ? ` reference id [${referenceId}]` : ''
  return new ApiFailure(status, `unable to fetch data after ${attempts} attempts${reference}`, code, error)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
