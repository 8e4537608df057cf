import { Type } from 'typebox'
import { declareList } from '#contract/kit/list.ts'
import { Revision } from '#contract/kit/schema.ts'
import type { CriterionInput, FilterInput } from '#domain/filter/filter.ts'
import { ALERT_CATEGORIES, ALERT_STATUSES, type AlertCategory } from '#domain/messages/alerts.ts'

const AlertLinks = Type.Array(Type.Object({ text: Type.String(), url: Type.String() }))

export const alertList = declareList({
  name: 'notifications',
  rows: 'alerts, whatever their status',
  access: { kind: 'signed-in' },
  token: null,
  scope: {},
  fields: {
    id: { type: 'text' },
    category: { type: 'text', schema: Type.Enum([...ALERT_CATEGORIES]) },
    severity: {
      type: 'number',
      schema: Type.Integer({
        description: '0 for OK up to 3 for CRITICAL; sort categories by it',
      }),
    },
    status: { type: 'text', schema: Type.Enum([...ALERT_STATUSES]) },
    date: { type: 'instant' },
    expires: { type: 'instant', nullable: true },
    description: { type: 'text' },
    service: { type: 'text-list' },
    links: { type: 'json', schema: AlertLinks },
    revision: { type: 'number', schema: Revision },
  },
  key: ['id'],
  defaultSort: [{ name: 'date', direction: 'desc' }],
  distinct: 'service',
})

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

/** Active and not expired. */
export function openFilter(now: Date): FilterInput {
  return {
    condition: 'ALL',
    criteria: [{ name: 'status', method: 'EQUALS', value: 'ACTIVE' }, notExpiredFilter(now)],
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

/** Alerts of any of these categories. */
export function categoryFilter(categories: readonly AlertCategory[]): FilterInput {
  return {
    condition: 'ANY',
    criteria: categories.map((category) => ({ name: 'category', method: 'EQUALS', value: category })),
  }
}

const expired = (now: Date): CriterionInput => ({ name: 'expires', method: '<=', value: now.toISOString() })
