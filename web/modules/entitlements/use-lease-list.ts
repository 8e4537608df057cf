import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import {
  type LeaseEntitlement,
  type LeaseRow,
  leaseRow,
  needsFulfillmentCount,
} from '#domain/entitlements/lease-row.ts'
import {
  fulfillmentCountQuery,
  fulfillmentCountsKey,
  useFulfillmentCounts,
} from '#web/modules/entitlements/fulfillment-counts.ts'
import { type Activity, leaseSource } from '#web/modules/entitlements/leases.api.ts'
import type { ListRequest, ListState } from '#web/ui/grid/list/list-state.ts'
import { useServerList } from '#web/ui/grid/list/use-server-list.ts'

type Leases = { customerNumber: string; activity: Activity; today: CalendarDay }

/** The rows of one table as the screen shows them. Their counts on hosts come later than they do. */
export function useLeaseList(
  { customerNumber, activity, today }: Leases,
  request: ListRequest,
  isReady: boolean,
): ListState<LeaseRow> {
  const queries = useQueryClient()
  const source = useMemo(
    () =>
      leaseSource(customerNumber, activity, (rows) => {
        for (const { ActivationId } of rows.filter(needsFulfillmentCount))
          void queries.prefetchQuery(fulfillmentCountQuery(customerNumber, ActivationId))
      }),
    [queries, customerNumber, activity],
  )
  const list = useServerList(source, request, isReady)
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
