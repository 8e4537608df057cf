import { describe, expect, test } from 'vitest'
import { type AlertStatus, isExpired, isInBanner, isResolved } from '#domain/messages/alerts.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()
const EXPIRIES = { none: null, past: inHours(-1), now: inHours(0), future: inHours(1) }

describe('resolved is RESOLVED with its expiry in the past; not expired is no expiry or a future one', () => {
  test.each([
    ['ACTIVE', 'none', { expired: false, resolved: false }],
    ['ACTIVE', 'past', { expired: true, resolved: false }],
    ['ACTIVE', 'now', { expired: true, resolved: false }],
    ['ACTIVE', 'future', { expired: false, resolved: false }],
    ['RESOLVED', 'none', { expired: false, resolved: false }],
    ['RESOLVED', 'past', { expired: true, resolved: true }],
    ['RESOLVED', 'now', { expired: true, resolved: true }],
    ['RESOLVED', 'future', { expired: false, resolved: false }],
  ] as const)('%s, expiry %s', (status, expiry, expected) => {
    const alert = { status: status as AlertStatus, expires: EXPIRIES[expiry] }
    expect({ expired: isExpired(alert, now), resolved: isResolved(alert, now) }).toEqual(expected)
  })
})

describe('the banner', () => {
  test.each([
    ['an outage at once', 'CRITICAL', 'ACTIVE', 24 * 30, null, true],
    ['a degradation at once', 'WARNING', 'ACTIVE', 24 * 30, null, true],
    ['maintenance five days ahead', 'INFO', 'ACTIVE', 24 * 5, null, true],
    ['maintenance more than five days ahead', 'INFO', 'ACTIVE', 24 * 5 + 1, null, false],
    ['information more than five days ahead', 'OK', 'ACTIVE', 24 * 5 + 1, null, false],
    ['what has expired', 'CRITICAL', 'ACTIVE', -2, inHours(-1), false],
    ['what is resolved', 'CRITICAL', 'RESOLVED', -2, inHours(1), false],
  ] as const)('%s', (_, category, status, startsIn, expires, shown) => {
    expect(isInBanner({ category, status, date: inHours(startsIn), expires }, now)).toBe(shown)
  })
})
