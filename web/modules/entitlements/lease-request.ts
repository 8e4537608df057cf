import { LEASE_COLUMNS, type LeaseColumn, leaseFilter } from '#contract/entitlements/lease-filter.ts'
import { leaseSorting } from '#contract/entitlements/lease-sorting.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { LICENSE_MODEL_GROUPS } from '#domain/entitlements/license-model.ts'
import { remainingElements } from '#web/parts/entitlement/remaining-filter.ts'
import type { ColumnFilter, SetFilter } from '#web/table/filters/column-filter.ts'
import { criteriaOf, type FilterElement } from '#web/table/filters/filter-criteria.ts'
import { readTypedDays } from '#web/table/filters/typed-time.ts'
import type { Question } from '#web/table/list/use-request.ts'
import type { TableView } from '#web/table/view/table-view.ts'

const FIELDS = { ansyscount: 'LineItemQuantity', startdate: 'StartDate', enddate: 'EndDate' } as const
const TERM = { start: 'StartDate', end: 'EndDate' }

/** What the view asks of the entitlement list, whose fields are not the columns of the screen. */
export function leaseQuestion(
  { filters, sorting }: Pick<TableView, 'filters' | 'sorting'>,
  today: CalendarDay,
): Question {
  return {
    filter: {
      condition: 'ALL',
      criteria: Object.entries(filters).flatMap(([column, filter]) =>
        isLeaseColumn(column) ? elementsOf(column, filter, today) : [],
      ),
    },
    sorting: leaseSorting(
      sorting.flatMap(({ column, direction }) => (isLeaseColumn(column) ? [{ column, direction }] : [])),
    ),
  }
}

function elementsOf(column: LeaseColumn, filter: ColumnFilter, today: CalendarDay): FilterElement[] {
  if (filter.filterType === 'set') return [anyModelOf(column, filter, today)]
  if (filter.filterType === 'text') {
    const days = column === 'remainingdays' ? remainingElements(filter.filter, today, TERM) : undefined
    if (days) return days
    const isRange = (column === 'startdate' || column === 'enddate') && readTypedDays(filter.filter)
    if (!isRange) {
      const method = filter.type === 'equals' ? 'EQUALS' : 'CONTAINS'
      return leaseFilter([{ column, method, text: filter.filter }], today).criteria
    }
  }
  return column in FIELDS
    ? criteriaOf([{ id: column, field: FIELDS[column as keyof typeof FIELDS], filter: 'day' }], {
        [column]: filter,
      })
    : []
}

/** License model groups exist only in the portal. "All but some" is sent as a list of the others. */
function anyModelOf(column: LeaseColumn, { type, values }: SetFilter, today: CalendarDay): FilterElement {
  const wanted = LICENSE_MODEL_GROUPS.filter((group) => values.includes(group) !== (type === 'except'))
  const found = wanted.flatMap((text) => leaseFilter([{ column, method: 'EQUALS', text }], today).criteria)
  // Each of them is a separate filter. Filters can be nested four levels deep.
  return { condition: 'ANY', criteria: found.flatMap((one) => ('criteria' in one ? one.criteria : [one])) }
}

const isLeaseColumn = (id: string): id is LeaseColumn => LEASE_COLUMNS.some((column) => column === id)
