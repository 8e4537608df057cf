import { describe, expect, it } from 'vitest'
import { ApiError } from '#web/lib/api/api-error.ts'
import { retried } from '#web/lib/api/query-client.ts'

describe('a call that is retried', () => {
  it('is retried five times, each time 100 ms later', () => {
    const failure = new ApiError(503, 'Not ready.')
    const tries = [0, 1, 2, 3, 4, 5].map((failures) => retried.retry(failures, failure))
    expect(tries).toEqual([true, true, true, true, true, false])
    expect([0, 1, 4].map(retried.retryDelay)).toEqual([100, 200, 500])
  })

  it('is retried without an answer, but not after a refusal', () => {
    expect(retried.retry(0, new ApiError(0, 'Nobody there.'))).toBe(true)
    expect([400, 401, 403, 404, 429].map((status) => retried.retry(0, new ApiError(status, '')))).toEqual(
      Array(5).fill(false),
    )
  })
})
