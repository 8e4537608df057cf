import { useMemo } from 'react'
import { elasticSorting } from '#contract/elastic/elastic-row.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { type Asked, useRequest } from '#web/ui/grid/list/use-request.ts'
import type { Column } from '#web/ui/grid/model/column.ts'
import type { ColumnFilters } from '#web/ui/grid/model/column-filter.ts'
import { criteriaOf, type FilterElement } from '#web/ui/grid/model/filter-criteria.ts'
import type { TableView } from '#web/ui/grid/model/table-view.ts'

/** What the view asks of the elastic rows. */
export function useElasticRequest(columns: readonly Column<never>[], view: TableView): Asked {
  const asked = useRequest(columns, view)
  const { filters } = view
  const request = useMemo(
    () => ({
      ...asked.request,
      filter: elasticFilter(columns, filters),
      sorting: elasticSorting(asked.request.sorting),
    }),
    [asked.request, columns, filters],
  )
  return {
    ...asked,
    request,
    filterWithout: (id) =>
      elasticFilter(
        columns.filter((column) => column.id !== id),
        filters,
      ),
  }
}

function elasticFilter(columns: readonly { id: string }[], filters: ColumnFilters): FilterInput {
  return { condition: 'ALL', criteria: columns.flatMap(({ id }) => elementsOf(id, filters)) }
}

/** Two columns show more than the field that they are named after. */
function elementsOf(id: string, filters: ColumnFilters): FilterElement[] {
  if (!filters[id]) return []
  const own = criteriaOf([{ id }], filters)
  switch (id) {
    case 'ansysproduct':
      return [{ condition: 'ANY', criteria: [...own, ...criteriaOf([{ id, field: 'activationid' }], filters)] }]
    case 'startdate':
    case 'enddate':
      // Days are searched for by how they are written.
      return own.map((element) => ({ ...element, tostring: true }))
    default:
      return own
  }
}
