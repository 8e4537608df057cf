import type { WallTime } from '#domain/calendar/partial-time.ts'
import type { FilterInput, Method } from '#domain/filter/filter.ts'
import { type Column, fieldOf, filterOf } from '#web/table/columns/column.ts'
import type { ColumnFilter, ColumnFilters, NumberComparison, NumberFilter } from '#web/table/filters/column-filter.ts'
import { readTypedDays, readTypedTimes } from '#web/table/filters/typed-time.ts'

export type FilterElement = FilterInput['criteria'][number]

type Filterable = Pick<Column<never>, 'id' | 'field' | 'filter'>

/** What the filters of the columns ask of a row, in the filter language of every list. */
export function criteriaOf(columns: readonly Filterable[], filters: ColumnFilters): FilterElement[] {
  return columns.flatMap((column) => {
    const filter = filters[column.id]
    return filter ? [elementOf(fieldOf(column), filter, filterOf(column)?.kind)] : []
  })
}

function elementOf(name: string, filter: ColumnFilter, kind: string | undefined): FilterElement {
  switch (filter.filterType) {
    case 'text':
      return kind === 'day'
        ? typedDay(name, filter)
        : { name, method: filter.type === 'equals' ? 'EQUALS' : 'CONTAINS', value: filter.filter, casefold: true }
    case 'number':
      return numberElement(name, filter)
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

const METHODS: Readonly<Record<NumberComparison, Method>> = {
  equals: 'EQUALS',
  lessThan: '<',
  lessThanOrEqual: '<=',
  greaterThan: '>',
  greaterThanOrEqual: '>=',
}

function numberElement(name: string, filter: NumberFilter): FilterElement {
  return filter.type === 'inRange'
    ? { name, method: 'INRANGE', value: [filter.filter, filter.filterTo] }
    : { name, method: METHODS[filter.type], value: filter.filter }
}

/** Ranges of days are compared. Other text is searched in the written form of the day. */
function typedDay(name: string, { type, filter }: { type: 'contains' | 'equals'; filter: string }): FilterElement {
  const days = readTypedDays(filter)
  if (days) return { name, method: 'DATERANGE', value: [days.from, days.to] }
  return { name, method: type === 'equals' ? 'EQUALS' : 'CONTAINS', value: filter, tostring: true }
}

/** Text that is not a time is sent as typed, and matches times that start with it. */
function typedTime(name: string, typed: string): FilterElement {
  const times = readTypedTimes(typed)
  if (!times) return { name, method: 'STARTSWITH', value: typed, tostring: true }
  const { from, until } = times
  const last = until === undefined ? null : new Date(instantOf(until).getTime() - 1).toISOString()
  return { name, method: 'DATERANGE', value: [from === undefined ? null : instantOf(from).toISOString(), last] }
}

/** Times on screen are in the reader's zone. JavaScript parses a time without a zone in that zone. */
function instantOf(wall: WallTime): Date {
  return new Date(wall)
}
