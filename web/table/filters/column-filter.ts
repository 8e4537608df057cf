import type { FilterKind } from '#web/table/columns/column.ts'

/** What a column is filtered by, in the shape in which views are saved. */
export type ColumnFilter =
  | { filterType: 'text'; type: 'contains' | 'equals'; filter: string }
  | NumberFilter
  /** Both ends included; an open end is null. Instants as ISO text in time columns, days in day columns. */
  | { filterType: 'date'; type: 'inRange'; dateFrom: string | null; dateTo: string | null }
  /** A time as it was typed: perhaps only its beginning, or a range such as `2026-01 – 2026-03`. */
  | { filterType: 'date'; type: 'startsWith'; filter: string }
  | SetFilter

export const NUMBER_COMPARISONS = [
  'equals',
  'lessThan',
  'lessThanOrEqual',
  'greaterThan',
  'greaterThanOrEqual',
] as const
export type NumberComparison = (typeof NUMBER_COMPARISONS)[number]

export type NumberFilter =
  | { filterType: 'number'; type: NumberComparison; filter: number }
  | { filterType: 'number'; type: 'inRange'; filter: number; filterTo: number }

/** Values that were ticked, or all but these; null stands for rows without one. */
export type SetFilter = { filterType: 'set'; type?: 'except'; values: readonly (string | null)[] }

export type ColumnFilters = Readonly<Record<string, ColumnFilter>>

/** A saved filter, if it is still valid for the column: saved views can be older than the columns. */
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
      return readNumber(saved)
    case 'time':
      return type === 'startsWith' && isText(filter) ? { filterType: 'date', type, filter } : readRange(saved)
    case 'day':
      if (filterType === 'date') return readRange(saved)
      return (type === 'contains' || type === 'equals') && isText(filter)
        ? { filterType: 'text', type, filter }
        : undefined
  }
}

function readNumber(saved: object): ColumnFilter | undefined {
  const { type, filter, filterTo } = saved as Record<string, unknown>
  if (!isNumber(filter)) return undefined
  if (type === 'inRange')
    return isNumber(filterTo) ? { filterType: 'number', type: 'inRange', filter, filterTo } : undefined
  return { filterType: 'number', type: NUMBER_COMPARISONS.find((one) => one === type) ?? 'equals', filter }
}

function readValues(saved: object): ColumnFilter | undefined {
  const { type, values } = saved as { type?: unknown; values?: unknown }
  return Array.isArray(values) &&
    values.length > 0 &&
    values.every((value) => value === null || typeof value === 'string')
    ? { filterType: 'set', ...(type === 'except' ? { type } : {}), values }
    : undefined
}

function readRange(saved: object): ColumnFilter | undefined {
  const { dateFrom = null, dateTo = null } = saved as Record<string, unknown>
  const isEnd = (end: unknown): end is string | null => end === null || (isText(end) && !Number.isNaN(Date.parse(end)))
  if (!isEnd(dateFrom) || !isEnd(dateTo) || (dateFrom ?? dateTo) === null) return undefined
  return { filterType: 'date', type: 'inRange', dateFrom, dateTo }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
