import { expect, test } from 'vitest'
import { ApiError } from '#web/lib/api/api-error.ts'
import { failureAfterRetries } from '#web/table/list/list-calls.ts'

test('a failure after retries says how many attempts were made, and keeps its code and reference', () => {
  const reference = '0123456789abcdef0123456789abcdef'
  const error = new ApiError(500, `Something went wrong, reference id [${reference}]`, 'INTERNAL_ERROR')
  const failure = failureAfterRetries({ error, failureCount: 6 })
  expect(failure).toMatchObject({
    message: 'unable to fetch data after 6 attempts',
    referenceId: reference,
    code: 'INTERNAL_ERROR',
    cause: error,
  })
})

test('a refusal is shown as the server worded it', () => {
  for (const error of [new ApiError(200, 'Too many distinct values'), new ApiError(0, 'late', 'TIMEOUT')])
    expect(failureAfterRetries({ error, failureCount: 1 })).toBe(error)
})
