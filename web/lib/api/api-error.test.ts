import { describe, expect, it } from 'vitest'
import { ApiError, failureText, hasCode, isTemporary, unsavedText } from '#web/lib/api/api-error.ts'

const id = '0123456789abcdef0123456789abcdef'

describe('a failed call', () => {
  it('shows the reference id in parentheses', () => {
    const failure = new ApiError(500, `Something went wrong on our side. reference id [${id}]`)
    expect(failure.referenceId).toBe(id)
    expect(failure.message).toBe('Something went wrong on our side.')
    expect(failure.text).toBe(`Something went wrong on our side. (${id})`)
  })

  it('leaves other texts as they are', () => {
    const failure = new ApiError(200, 'PIN not found [12]')
    expect(failure.referenceId).toBeUndefined()
    expect(failureText(failure)).toBe('PIN not found [12]')
  })

  it('is identified by its code, not by its text', () => {
    const failure = new ApiError(200, 'total number of records exceeds maximum allowed length', 'TOO_MANY_ROWS')
    expect(hasCode(failure, 'TOO_MANY_ROWS')).toBe(true)
    expect(hasCode(failure, 'TOO_MANY_DISTINCT')).toBe(false)
    expect(hasCode(new ApiError(200, failure.message), 'TOO_MANY_ROWS')).toBe(false)
    expect(hasCode(new Error('no'), 'TOO_MANY_ROWS')).toBe(false)
  })

  it('a failed save says that nothing was saved, unless the outcome is unknown', () => {
    expect(unsavedText(new ApiError(200, 'No.'))).toBe('Nothing was saved. No.')
    expect(unsavedText(new ApiError(500, 'Oh.'))).toBe('Nothing was saved. Oh.')
    for (const status of [0, 502, 504])
      expect(unsavedText(new ApiError(status, 'Gone.'))).toBe('Gone. Your changes may not have been saved.')
  })

  it('has a code also when the answer is not the portal’s own', () => {
    const codeOf = (status: number) => new ApiError(status, '').code
    expect([0, 502, 504].map(codeOf)).toEqual(['NO_ANSWER', 'NO_ANSWER', 'NO_ANSWER'])
    expect([200, 401, 403, 404].map(codeOf)).toEqual(['REFUSED', 'NOT_SIGNED_IN', 'NOT_ALLOWED', 'NOT_FOUND'])
    expect([400, 500, 503].map(codeOf)).toEqual(['INVALID_REQUEST', 'INTERNAL_ERROR', 'UNAVAILABLE'])
  })

  it('is temporary when the portal did not answer or could not', () => {
    const isTemporaryAt = (status: number) => isTemporary(new ApiError(status, ''))
    expect([0, 500, 502, 503, 504].map(isTemporaryAt)).toEqual(Array(5).fill(true))
    expect([200, 400, 403, 404, 429].map(isTemporaryAt)).toEqual(Array(5).fill(false))
  })
})
