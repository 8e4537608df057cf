import { timeText } from '#web/lib/format.ts'
import { type Column, filterOf } from '#web/table/columns/column.ts'
import type { ColumnFilter, ColumnFilters } from '#web/table/filters/column-filter.ts'
import { formatNumberFilter } from '#web/table/filters/typed-number.ts'
import { BLANK } from '#web/table/filters/value-choice.ts'

type Filtered = Pick<Column<never>, 'id' | 'header' | 'filter'>
type Range = ColumnFilter & { filterType: 'date'; type: 'inRange' }

export type FilterWords = { readonly id: string; readonly header: string; readonly text: string }

/** What the rows are narrowed by, in words: `Product contains "pro"`, `Cost > 5`, `License Model: Network`. */
export function filterWords(columns: readonly Filtered[], filters: ColumnFilters): FilterWords[] {
  return columns.flatMap((column) => {
    const { id, header } = column
    const filter = filters[id]
    return filter ? [{ id, header, text: `${header}${wordsOf(column, filter)}` }] : []
  })
}

function wordsOf(column: Filtered, filter: ColumnFilter): string {
  const kind = filterOf(column)
  switch (filter.filterType) {
    case 'text':
      return ` ${filter.type} "${filter.filter}"`
    case 'number':
      return filter.type === 'equals' ? ` = ${filter.filter}` : ` ${formatNumberFilter(filter)}`
    case 'date':
      if (filter.type === 'startsWith') return ` ${filter.filter}`
      return ` ${rangeText(filter, kind?.kind === 'time' ? 'time' : 'day').replace(/^(From|To) /, (word) => word.toLowerCase())}`
    case 'set': {
      const textOf = (kind?.kind === 'text' && kind.valueText) || String
      const values = filter.values.map((value) => (value === null ? BLANK : textOf(value))).join(', ')
      return filter.type === 'except' ? ` is not ${values}` : `: ${values}`
    }
  }
}

export function rangeText({ dateFrom, dateTo }: Range, kind: 'time' | 'day'): string {
  const text = (end: string | null) => (kind === 'time' ? timeText(end) : (end ?? ''))
  if (dateFrom && dateTo) return `${text(dateFrom)} – ${text(dateTo)}`
  return dateFrom ? `From ${text(dateFrom)}` : `To ${text(dateTo)}`
}
