import type { ReactNode } from 'react'

export type TextMethod = 'contains' | 'equals'

/** How the rows can be narrowed by a column. */
export type FilterKind =
  | {
      kind: 'text'
      /** The first one is used until the person chooses another. */
      methods: readonly [TextMethod, ...TextMethod[]]
      /** The values that occur can be ticked in a list. */
      hasValues?: boolean
    }
  | { kind: 'number' }
  | { kind: 'time' }

/** A column of a table, in our words: the grid library's own definitions stay behind the grid. */
export type Column<Row> = {
  /** Under this name views remember the column. */
  id: string
  /** What filters and sort rules call it, where that is not its id. */
  field?: string
  header: string
  /** In pixels; wider when there is room to spare. */
  width: number
  align?: 'right'
  /** Ids are set in a monospace face and can be copied. */
  face?: 'id'
  text(row: Row): string
  /** Where text alone is not enough. It is drawn for every row on the page: keep it light. */
  cell?(row: Row): ReactNode
  filter?: FilterKind
  isSortable?: boolean
  /** Shown only once the person asks for it. */
  isHidden?: boolean
  /** Stays in sight when the table is scrolled sideways. */
  isSticky?: boolean
}

export const CONTAINS_OR_EQUALS = ['contains', 'equals'] as const
export const EQUALS_ONLY = ['equals'] as const

export function fieldOf(column: Pick<Column<never>, 'id' | 'field'>): string {
  return column.field ?? column.id
}
