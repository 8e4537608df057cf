import { describe, expect, it } from 'vitest'
import { ApiFailure, failureText, hasCode, isClientError, unsavedText } from '#web/lib/api-failure.ts'

const id = '0123456789abcdef0123456789abcdef'

describe('a failed call', () => {
  it('shows the reference id in parentheses', () => {
    const failure = new ApiFailure(500, `Something went wrong on our side. reference id [${id}]`)
    expect(failure.referenceId).toBe(id)
    expect(failure.message).toBe('Something went wrong on our side.')
    expect(failure.text).toBe(`Something went wrong on our side. (${id})`)
  })

  it('leaves other texts as they are', () => {
    const failure = new ApiFailure(200, 'PIN not found [12]')
    expect(failure.referenceId).toBeUndefined()
    expect(failureText(failure)).toBe('PIN not found [12]')
  })

  it('is told apart by its code, whatever its text says', () => {
    const failure = new ApiFailure(200, 'total number of records exceeds maximum allowed length', 'TOO_MANY_ROWS')
    expect(hasCode(failure, 'TOO_MANY_ROWS')).toBe(true)
    expect(hasCode(failure, 'TOO_MANY_DISTINCT')).toBe(false)
    expect(hasCode(new ApiFailure(200, failure.message), 'TOO_MANY_ROWS')).toBe(false)
    expect(hasCode(new Error('no'), 'TOO_MANY_ROWS')).toBe(false)
  })

  it('of a save says that nothing was saved, unless nobody can know', () => {
    expect(unsavedText(new ApiFailure(200, 'No.'))).toBe('Nothing was saved. No.')
    expect(unsavedText(new ApiFailure(500, 'Oh.'))).toBe('Nothing was saved. Oh.')
    for (const status of [0, 502, 504])
      expect(unsavedText(new ApiFailure(status, 'Gone.'))).toBe('Gone. Your changes may not have been saved.')
  })

  it('is the caller’s error from 400 to 499 only', () => {
    expect([0, 200, 399, 400, 404, 499, 500].map((status) => isClientError(new ApiFailure(status, '')))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
      false,
    ])
    expect(isClientError(new Error('no'))).toBe(false)
  })
})
