import { expect, test } from 'vitest'
import { isSignInFresh } from '#domain/access/sign-in-limits.ts'

const NOW = new Date('2026-11-19T12:00:00Z')
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)

test.each([
  [secondsAgo(0), true],
  [secondsAgo(3600), true],
  [secondsAgo(3601), false],
  [secondsAgo(-30), true],
  [secondsAgo(-31), false],
  [null, false],
])('a sign-in at %s is fresh for 60 minutes at 12:00:00: %s', (authenticatedAt, isFresh) => {
  expect(isSignInFresh(authenticatedAt, NOW, 60)).toBe(isFresh)
})
