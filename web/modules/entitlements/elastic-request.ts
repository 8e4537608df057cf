import { elasticSorting } from '#contract/elastic/elastic-row.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { remainingElements } from '#web/modules/entitlements/remaining-filter.ts'
import type { ColumnFilters } from '#web/table/filters/column-filter.ts'
import { criteriaOf, type FilterElement } from '#web/table/filters/filter-criteria.ts'
import type { Question } from '#web/table/list/use-request.ts'
import type { TableView } from '#web/table/view/table-view.ts'

const TERM = { start: 'startdate', end: 'enddate' }

/** What the view asks of the elastic rows. */
export function elasticQuestion(
  { filters, sorting }: Pick<TableView, 'filters' | 'sorting'>,
  today: CalendarDay,
): Question {
  return {
    filter: { condition: 'ALL', criteria: Object.keys(filters).flatMap((id) => elementsOf(id, filters, today)) },
    sorting: elasticSorting(sorting.map(({ column, direction }) => ({ name: column, direction }))),
  }
}

/** Some columns show more than the field that they are named after. */
function elementsOf(id: string, filters: ColumnFilters, today: CalendarDay): FilterElement[] {
  const filter = filters[id]
  switch (id) {
    case 'ansysproduct': {
      const criteria = [...criteriaOf([{ id }], filters), ...criteriaOf([{ id, field: 'activationid' }], filters)]
      return [{ condition: 'ANY', criteria }]
    }
    case 'startdate':
    case 'enddate':
      return criteriaOf([{ id, filter: { kind: 'day' } }], filters)
    case 'remainingdays': {
      const days = filter?.filterType === 'text' ? remainingElements(filter.filter, today, TERM) : undefined
      return days ?? criteriaOf([{ id }], filters)
    }
    default:
      return criteriaOf([{ id }], filters)
  }
}
