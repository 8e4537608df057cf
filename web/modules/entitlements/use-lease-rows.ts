import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type LeaseRow, leaseRow } from '#contract/entitlements/lease-row.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { LeaseEntitlement } from '#domain/entitlements/entitlement-row.ts'
import { fulfillmentCountsKey, useFulfillmentCounts } from '#web/modules/entitlements/fulfillment-counts.ts'
import type { ListState } from '#web/table/list/list-state.ts'

/** The rows as the screen shows them. Their counts on hosts come later than they do. */
export function useLeaseRows(
  list: ListState<LeaseEntitlement>,
  customerNumber: string,
  today: CalendarDay,
): ListState<LeaseRow> {
  const queries = useQueryClient()
  const { counts, countOf, failure } = useFulfillmentCounts(customerNumber, list.rows)
  const rows = useMemo(
    () => list.rows?.map((row) => shownRow(row, today, countOf(row.ActivationId))),
    [list.rows, today, counts],
  )
  return {
    ...list,
    rows,
    failure: list.failure ?? failure,
    retry: () => {
      list.retry()
      void queries.resetQueries({ queryKey: fulfillmentCountsKey(customerNumber) })
    },
  }
}

/** A count that nobody knows is left blank, instead of being waited for. */
function shownRow(row: LeaseEntitlement, today: CalendarDay, count: number | null | undefined): LeaseRow {
  return count === null ? { ...leaseRow(row, today), ansysactivated: null } : leaseRow(row, today, count)
}
