import type { ReactNode } from 'react'

/** The state of a row: saved, not saved yet, or to be removed with the next save. */
export type RowState = 'new' | 'removed' | undefined

/** What rows of a table do in addition to showing their cells. */
export type RowBehavior<Row> = {
  /** Names a row to screen readers. */
  rowName(row: Row): string
  /** The page of a row, if it has one: a click or Enter opens it. */
  rowHref?: ((row: Row) => string) | undefined
  onOpen(href: string, isNewTab: boolean): void
  /** What unfolds below a row. */
  detail?: ((row: Row) => ReactNode) | undefined
  onToggle(key: string): void
  canSelect(row: Row): boolean
  onSelect(key: string, event: { shiftKey: boolean }): void
  rowActions?: ((row: Row) => ReactNode) | undefined
  rowState?: ((row: Row) => RowState) | undefined
  isTree: boolean
}
