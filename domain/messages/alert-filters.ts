import type { CriterionInput, FilterInput } from '#domain/filter/filter.ts'
import { type AlertCategory, severityOf } from '#domain/messages/alerts.ts'

/**
 * What the alert screens ask the list for, in the filter language: the same rules as `isResolved` and `isExpired`, so
 * that a page filtered on the server and one filtered in the browser never differ.
 */
export function resolvedFilter(now: Date): FilterInput {
  return {
    condition: 'ALL',
    criteria: [{ name: 'status', method: 'EQUALS', value: 'RESOLVED' }, expired(now)],
  }
}

export function notExpiredFilter(now: Date): FilterInput {
  return {
    condition: 'ANY',
    criteria: [
      { name: 'expires', method: 'ISDEFINED', value: false },
      { name: 'expires', method: '>', value: now.toISOString() },
    ],
  }
}

/** Both ends included, in the order OK, INFO, WARNING, CRITICAL. */
export function categoryRange(least: AlertCategory, most: AlertCategory): CriterionInput {
  return { name: 'severity', method: 'INRANGE', value: [severityOf(least), severityOf(most)] }
}

const expired = (now: Date): CriterionInput => ({ name: 'expires', method: '<=', value: now.toISOString() })
