import { describe, expect, test } from 'vitest'
import {
  FAILING_LIMIT,
  hasFailedTooLong,
  JITTER,
  nextAttempt,
  RETRY_PAUSES,
  readRetryAfter,
  verdictOf,
} from '#domain/webhooks/attempt.ts'

const NOW = new Date('2026-11-18T10:00:00Z')
const secondsFromNow = (at: Date | undefined) => at && (at.getTime() - NOW.getTime()) / 1000

describe('the verdict about an attempt', () => {
  test.each([
    [200, 'delivered'],
    [201, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [301, 'Answered 301. Redirects are not followed'],
    [304, 'Answered 304. Redirects are not followed'],
    [308, 'Answered 308. Redirects are not followed'],
    [400, 'Answered 400'],
    [404, 'Answered 404'],
    [429, 'Answered 429'],
    [500, 'Answered 500'],
    [503, 'Answered 503'],
  ])('an answer with status %i is: %s', (status, expected) => {
    const verdict = verdictOf({ kind: 'answer', status })
    expect(verdict).toEqual(
      expected === 'delivered' ? { state: 'delivered' } : { state: 'failed', reason: expected, isGone: false },
    )
  })

  test('status 410 switches the endpoint off', () => {
    expect(verdictOf({ kind: 'answer', status: 410 })).toMatchObject({ state: 'failed', isGone: true })
  })

  test('no answer in time is a failure that names the limit', () => {
    expect(verdictOf({ kind: 'timeout' })).toEqual({
      state: 'failed',
      reason: 'No answer within 15 seconds',
      isGone: false,
    })
  })

  test('a network failure keeps its reason', () => {
    expect(verdictOf({ kind: 'failure', reason: 'ECONNREFUSED' })).toMatchObject({ reason: 'ECONNREFUSED' })
  })
})

describe('the next attempt', () => {
  test.each([
    [1, 5],
    [2, 300],
    [3, 1800],
    [4, 2 * 3600],
    [5, 5 * 3600],
    [6, 10 * 3600],
    [7, 14 * 3600],
    [8, 20 * 3600],
    [9, 24 * 3600],
    [10, undefined],
  ])('after %i failures comes after %s seconds', (failures, seconds) => {
    expect(secondsFromNow(nextAttempt(failures, { now: NOW, random: 0 }))).toBe(seconds)
  })

  test('is delayed by jitter, never brought forward', () => {
    for (const [index, pause] of RETRY_PAUSES.entries()) {
      const latest = nextAttempt(index + 1, { now: NOW, random: 0.999999 })!.getTime() - NOW.getTime()
      expect(latest).toBeGreaterThan(pause)
      expect(latest).toBeLessThanOrEqual(pause * (1 + JITTER))
    }
  })

  test.each([
    ['120', 120],
    ['2', 5],
    ['Wed, 18 Nov 2026 10:10:00 GMT', 600],
    ['Wed, 18 Nov 2026 09:10:00 GMT', 5],
    ['999999999', 24 * 3600],
    ['soon', 5],
    ['-5', 5],
    ['1.5', 5],
    ['', 5],
  ])('obeys Retry-After %j', (retryAfter, seconds) => {
    expect(secondsFromNow(nextAttempt(1, { now: NOW, random: 0, retryAfter }))).toBe(seconds)
  })

  test('does not exist after the last retry, whatever Retry-After says', () => {
    expect(nextAttempt(10, { now: NOW, random: 0, retryAfter: '5' })).toBeUndefined()
  })
})

test('Retry-After with a past date counts as nothing', () => {
  expect(readRetryAfter('Wed, 18 Nov 2020 10:10:00 GMT', NOW)).toBe(0)
})

test.each([
  [null, false],
  [new Date(NOW.getTime() - FAILING_LIMIT + 1), false],
  [new Date(NOW.getTime() - FAILING_LIMIT), true],
])('an endpoint that fails since %s is switched off: %s', (failingSince, isOff) => {
  expect(hasFailedTooLong(failingSince, NOW)).toBe(isOff)
})
