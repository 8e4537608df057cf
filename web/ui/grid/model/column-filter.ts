import type { FilterKind } from '#web/ui/grid/model/column.ts'

/** What a column is filtered by, in the shape in which views are saved. */
export type ColumnFilter =
  | { filterType: 'text'; type: 'contains' | 'equals'; filter: string }
  | { filterType: 'number'; type: 'equals'; filter: number }
  /** Instants, as ISO text; an open end is null. */
  | { filterType: 'date'; type: 'inRange'; dateFrom: string | null; dateTo: string | null }
  /** A time that was typed, perhaps only its beginning. */
  | { filterType: 'date'; type: 'startsWith'; filter: string }
  | SetFilter

/** Values that were ticked, or all but these; null stands for rows without one. */
export type SetFilter = { filterType: 'set'; type?: 'except'; values: readonly (string | null)[] }

export type ColumnFilters = Readonly<Record<string, ColumnFilter>>

/** A saved filter, if it still makes sense for the column: views outlive the tables that they were saved for. */
export function readColumnFilter(kind: FilterKind | undefined, saved: unknown): ColumnFilter | undefined {
  if (!kind || typeof saved !== 'object' || saved === null) return undefined
  const { filterType, type, filter } = saved as Record<string, unknown>
  switch (kind.kind) {
    case 'text':
      if (filterType === 'set') return kind.hasValues ? readValues(saved) : undefined
      return kind.methods.some((method) => method === type) && isText(filter)
        ? { filterType: 'text', type: type as 'contains' | 'equals', filter }
        : undefined
    case 'number':
      return typeof filter === 'number' && Number.isFinite(filter)
        ? { filterType: 'number', type: 'equals', filter }
        : undefined
    case 'time':
      return type === 'startsWith' && isText(filter) ? { filterType: 'date', type, filter } : readTimes(saved)
  }
}

function readValues(saved: object): ColumnFilter | undefined {
  const { type, values } = saved as { type?: unknown; values?: unknown }
  return Array.isArray(values) &&
    values.length > 0 &&
    values.every((value) => value === null || typeof value === 'string')
    ? { filterType: 'set', ...(type === 'except' ? { type } : {}), values }
    : undefined
}

function readTimes(saved: object): ColumnFilter | undefined {
  const { dateFrom = null, dateTo = null } = saved as Record<string, unknown>
  const isEnd = (end: unknown): end is string | null => end === null || (isText(end) && !Number.isNaN(Date.parse(end)))
  if (!isEnd(dateFrom) || !isEnd(dateTo) || (dateFrom ?? dateTo) === null) return undefined
  return { filterType: 'date', type: 'inRange', dateFrom, dateTo }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
