import { useMemo } from 'react'
import { LEASE_COLUMNS, type LeaseColumn, leaseFilter, type TypedFilter } from '#contract/entitlements/lease-filter.ts'
import { leaseSorting } from '#contract/entitlements/lease-sorting.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { ListRequest } from '#web/ui/grid/list/list-state.ts'
import { type Asked, useRequest } from '#web/ui/grid/list/use-request.ts'
import type { Column } from '#web/ui/grid/model/column.ts'
import type { ColumnFilters } from '#web/ui/grid/model/column-filter.ts'
import type { TableView } from '#web/ui/grid/model/table-view.ts'

/** What the view asks of the entitlement list, whose fields are not the columns of the screen. */
export function useLeaseRequest(columns: readonly Column<never>[], view: TableView, today: CalendarDay): Asked {
  const asked = useRequest(columns, view)
  const { offset, limit } = asked.request
  const { filters, sorting } = view
  const request = useMemo(
    () => ({ ...leaseQuestion({ filters, sorting }, today), offset, limit }),
    [filters, sorting, today, offset, limit],
  )
  return { ...asked, request }
}

function leaseQuestion(
  { filters, sorting }: Pick<TableView, 'filters' | 'sorting'>,
  today: CalendarDay,
): Pick<ListRequest, 'filter' | 'sorting'> {
  return {
    filter: leaseFilter(typedFilters(filters), today),
    sorting: leaseSorting(
      sorting.flatMap(({ column, direction }) => (isLeaseColumn(column) ? [{ column, direction }] : [])),
    ),
  }
}

function typedFilters(filters: ColumnFilters): TypedFilter[] {
  return Object.entries(filters).flatMap(([column, filter]): TypedFilter[] => {
    if (!isLeaseColumn(column)) return []
    switch (filter.filterType) {
      case 'text':
        return [{ column, method: filter.type === 'equals' ? 'EQUALS' : 'CONTAINS', text: filter.filter }]
      case 'number':
        return [{ column, method: 'EQUALS', text: String(filter.filter) }]
      default:
        return []
    }
  })
}

const isLeaseColumn = (id: string): id is LeaseColumn => LEASE_COLUMNS.some((column) => column === id)
