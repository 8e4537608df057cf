import { expandPartialTime, type WallTime } from '#domain/calendar/partial-time.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { type Column, fieldOf } from '#web/ui/grid/model/column.ts'
import type { ColumnFilter, ColumnFilters } from '#web/ui/grid/model/column-filter.ts'

export type FilterElement = FilterInput['criteria'][number]

type Filterable = Pick<Column<never>, 'id' | 'field'>

/** What the filters of the columns ask of a row, in the filter language of every list. */
export function criteriaOf(columns: readonly Filterable[], filters: ColumnFilters): FilterElement[] {
  return columns.flatMap((column) => {
    const filter = filters[column.id]
    return filter ? [elementOf(fieldOf(column), filter)] : []
  })
}

function elementOf(name: string, filter: ColumnFilter): FilterElement {
  switch (filter.filterType) {
    case 'text':
      return { name, method: filter.type === 'equals' ? 'EQUALS' : 'CONTAINS', value: filter.filter, casefold: true }
    case 'number':
      return { name, method: 'EQUALS', value: filter.filter }
    case 'set':
      return filter.type === 'except'
        ? { condition: 'ALL', criteria: filter.values.map((value) => ({ ...equals(name, value), not: true })) }
        : { condition: 'ANY', criteria: filter.values.map((value) => equals(name, value)) }
    case 'date':
      return filter.type === 'inRange'
        ? { name, method: 'DATERANGE', value: [filter.dateFrom, filter.dateTo] }
        : typedTime(name, filter.filter)
  }
}

const equals = (name: string, value: string | null) => ({ name, method: 'EQUALS' as const, value, casefold: false })

/** What is no time is passed on as it was typed, and finds what begins like it. */
function typedTime(name: string, typed: string): FilterElement {
  const span = expandPartialTime(typed)
  if (!span) return { name, method: 'STARTSWITH', value: typed, tostring: true }
  const last = new Date(instantOf(span.until).getTime() - 1)
  return { name, method: 'DATERANGE', value: [instantOf(span.from).toISOString(), last.toISOString()] }
}

/** Times on screen are the reader's: without a zone in it, JavaScript reads a time in that very zone. */
function instantOf(wall: WallTime): Date {
  return new Date(wall)
}
