import { describe, expect, test } from 'vitest'
import {
  alertList,
  categoryFilter,
  notExpiredFilter,
  openFilter,
  resolvedFilter,
} from '#contract/messages/alert-list.ts'
import { matches } from '#domain/filter/evaluate-filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { ALERT_CATEGORIES, ALERT_STATUSES, isExpired, isResolved, severityOf } from '#domain/messages/alerts.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()

describe('filters find the same alerts as isResolved and isExpired', () => {
  const alerts = ALERT_STATUSES.flatMap((status) =>
    [null, inHours(-1), inHours(0), inHours(1)].map((expires) => ({ status, expires })),
  )
  test.each(alerts)('an alert that is $status and expires at $expires is found', (alert) => {
    expect(matches(parseFilter(alertList.fields, resolvedFilter(now)), alert)).toBe(isResolved(alert, now))
    expect(matches(parseFilter(alertList.fields, notExpiredFilter(now)), alert)).toBe(!isExpired(alert, now))
    const isOpen = alert.status === 'ACTIVE' && !isExpired(alert, now)
    expect(matches(parseFilter(alertList.fields, openFilter(now)), alert)).toBe(isOpen)
  })
})

test('severity rises from OK to CRITICAL', () => {
  expect(ALERT_CATEGORIES.map(severityOf)).toEqual([0, 1, 2, 3])
})

test('the category filter matches exactly the given categories', () => {
  const filter = parseFilter(alertList.fields, categoryFilter(['OK', 'CRITICAL']))
  expect(ALERT_CATEGORIES.filter((category) => matches(filter, { category }))).toEqual(['OK', 'CRITICAL'])
})
