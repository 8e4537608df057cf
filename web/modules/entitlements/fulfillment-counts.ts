import { queryOptions, type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type LeaseRow, leaseRow, needsFulfillmentCount } from '#contract/entitlements/lease-row.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { LeaseEntitlement } from '#domain/entitlements/entitlement-row.ts'
import { call } from '#web/lib/api/api-client.ts'
import { inBatches } from '#web/lib/api/in-batches.ts'
import type { ListState } from '#web/table/list/list-state.ts'

const BATCH = 100

type Counts = Readonly<Record<string, number>>

const countersOf = new Map<string, (activationId: string) => Promise<Counts>>()

/** Both tables of a customer count through the same counter, so that they share their calls. */
function counterOf(customerNumber: string): (activationId: string) => Promise<Counts> {
  const known = countersOf.get(customerNumber)
  if (known) return known
  const counter = inBatches(BATCH, (activationId: string[]) =>
    call('fulfillments/count', { body: { customerNumber, activationId } }),
  )
  countersOf.set(customerNumber, counter)
  return counter
}

function fulfillmentCountsKey(customerNumber: string): readonly unknown[] {
  return ['fulfillment-count', customerNumber]
}

/** Seats of one activation that are on hosts; null if the server does not know it. */
export function fulfillmentCountQuery(customerNumber: string, activationId: string) {
  return queryOptions({
    queryKey: [...fulfillmentCountsKey(customerNumber), activationId],
    queryFn: async () => {
      const count = (await counterOf(customerNumber)(activationId))[activationId]
      if (count === undefined) console.warn(`No fulfillment count for activation ${activationId}`)
      return count ?? null
    },
  })
}

/** The counts of the rows that need one, as far as they have come. */
function useFulfillmentCounts(customerNumber: string, rows: readonly LeaseEntitlement[] | undefined) {
  const ids = (rows ?? []).filter(needsFulfillmentCount).map((row) => row.ActivationId)
  const { counts, failure } = useQueries({
    queries: ids.map((id) => fulfillmentCountQuery(customerNumber, id)),
    combine,
  })
  return { countOf: (activationId: string) => counts[ids.indexOf(activationId)], counts, failure }
}

function combine(results: UseQueryResult<number | null>[]) {
  return {
    counts: results.map((result) => result.data),
    failure: results.find((result) => result.error)?.error ?? undefined,
  }
}

/** The rows as the screen shows them. Their counts on hosts arrive later. */
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
