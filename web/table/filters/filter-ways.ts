import type { FilterKind, TextMethod } from '#web/table/columns/column.ts'
import type { ColumnFilter } from '#web/table/filters/column-filter.ts'

/** How a column can be filtered: by text or a number that is typed, by ticking values, or from one time to another. */
export type FilterWay = TextMethod | 'starts with' | 'values' | 'range'

export const WAY_NAMES: Readonly<Record<FilterWay, string>> = {
  contains: 'Contains',
  equals: 'Equals',
  'starts with': 'Starts with',
  values: 'Values',
  range: 'Range',
}

/** The first one is used until the person chooses another. */
export function waysOf(kind: FilterKind): readonly [FilterWay, ...FilterWay[]] {
  switch (kind.kind) {
    case 'text':
      return kind.hasValues ? [...kind.methods, 'values'] : kind.methods
    case 'number':
      return ['equals']
    case 'time':
      return ['starts with', 'range']
    case 'day':
      return ['contains', 'range']
  }
}

/** The way in which a filter was set. */
export function wayOf(kind: FilterKind, filter: ColumnFilter | undefined): FilterWay {
  if (filter?.filterType === 'set') return 'values'
  if (filter?.filterType === 'date' && filter.type === 'inRange') return 'range'
  return filter?.filterType === 'text' && kind.kind === 'text' ? filter.type : waysOf(kind)[0]
}
