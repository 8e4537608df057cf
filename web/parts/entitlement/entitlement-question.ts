import { LAST_TO_END_FIRST } from '#contract/entitlements/balance-row.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { remainingElements } from '#web/parts/entitlement/remaining-filter.ts'
import type { ColumnFilters } from '#web/table/filters/column-filter.ts'
import { criteriaOf, type FilterElement } from '#web/table/filters/filter-criteria.ts'
import type { Question } from '#web/table/list/use-request.ts'
import type { TableView } from '#web/table/view/table-view.ts'

type Options = {
  /** What the Entitlement column shows. It is sorted by the first of them. */
  readonly fields: readonly [string, ...string[]]
  readonly today: CalendarDay
}

/** The order of balances, as a view names it. */
export const LAST_TO_END_COLUMNS = LAST_TO_END_FIRST.map(({ name, direction }) => ({ column: name, direction }))

const TERM = { start: 'startdate', end: 'enddate' }

/** What the view asks of a list of entitlements. Some columns show more than the field that they are named after. */
export function entitlementQuestion(
  { filters, sorting }: Pick<TableView, 'filters' | 'sorting'>,
  options: Options,
): Question {
  return {
    filter: { condition: 'ALL', criteria: Object.keys(filters).flatMap((id) => elementsOf(id, filters, options)) },
    sorting: sorting.map(({ column, direction }) => ({
      name: column === 'remainingdays' ? TERM.end : column === 'ansysproduct' ? options.fields[0] : column,
      direction,
    })),
  }
}

function elementsOf(id: string, filters: ColumnFilters, { fields, today }: Options): FilterElement[] {
  const filter = filters[id]
  switch (id) {
    case 'ansysproduct': {
      return [{ condition: 'ANY', criteria: fields.flatMap((field) => criteriaOf([{ id, field }], filters)) }]
    }
    case 'startdate':
    case 'enddate':
      return criteriaOf([{ id, filter: 'day' }], filters)
    case 'remainingdays': {
      const days = filter?.filterType === 'text' ? remainingElements(filter.filter, today, TERM) : undefined
      return days ?? criteriaOf([{ id }], filters)
    }
    default:
      return criteriaOf([{ id }], filters)
  }
}
