import type { ReactNode } from 'react'
import type { CellEditor } from '#web/table/columns/cell-editor.ts'

export type TextMethod = 'contains' | 'equals'

/** How the rows can be narrowed by a column. */
export type FilterKind =
  | {
      kind: 'text'
      /** The first one is used until the person chooses another. */
      methods: readonly [TextMethod, ...TextMethod[]]
      /** The values that occur can be ticked in a list; where they are always the same, these are listed. */
      hasValues?: boolean | readonly string[]
      /** How a value is shown, where the filter names it otherwise. */
      valueText?(value: string): string
      /** A hint for text that cannot mean anything in this column. Such text turns red and filters nothing. */
      problemOf?(text: string): string | undefined
    }
  | { kind: 'number' }
  /** Instants, shown in the reader's time zone. */
  | { kind: 'time' }
  /** Calendar days. `phrase` is text that the cells may show before the day; `words` can be typed instead of a day. */
  | { kind: 'day'; phrase?: string; words?: readonly string[] }

type TextKind = FilterKind & { kind: 'text' }
/**
 * The default filter of a kind needs no options. Text has "contains" and "equals", unless the column names its methods.
 */
type Filter =
  | FilterKind['kind']
  | Exclude<FilterKind, TextKind>
  | (Omit<TextKind, 'methods'> & Partial<Pick<TextKind, 'methods'>>)

/**
 * A column of a table. Define columns once, outside of the component, because a new object would render the table
 * again.
 */
export type Column<Row> = {
  /** Saved views remember the column by this name. */
  id: string
  /** What filters and sort rules call it, where that is not its id. */
  field?: string
  header: string
  /** Only screen readers and the list of columns have the name: the column has room for an icon. */
  isHeadHidden?: boolean
  /** In pixels. Number and date columns get wider where their content needs it. */
  width: number
  /** The one column of a table that takes the room that is left. */
  flexible?: { min: number }
  /**
   * Numbers, dates and times have tabular figures and are never cut; the head of a time names the zone of the reader. Ids
   * have a monospace font and a copy button.
   */
  kind?: 'number' | 'date' | 'time' | 'id'
  /** Numbers are right-aligned anyway. */
  align?: 'right'
  text(row: Row): string
  /**
   * For cells that need more than text. It is drawn for every row on the page, so keep it light. A plain function that
   * returns elements costs half as much as a component.
   */
  cell?(row: Row): ReactNode
  /** Makes the cell editable. */
  editor?: CellEditor<Row>
  filter?: Filter
  /** Saved views know its filter, but a control above the table sets it, and the page asks for it. */
  isFilteredAbove?: boolean
  isSortable?: boolean
  /** Hidden until the person shows it. */
  isHidden?: boolean
  /** Not offered at all, but kept in saved views. */
  isAbsent?: boolean
  /** Pinned: stays in view when the table scrolls sideways. */
  isSticky?: boolean
  /** The line of a phone's row that shows it. Rows have two lines, or three if a column asks for it. */
  phone?: 'first line' | 'second line' | 'third line'
  /** The column with the currency of its amounts. A phone, which has no columns, shows it after each of them. */
  currency?: string
}

/** The values that occur can be ticked in a list. */
export const VALUES = { kind: 'text', hasValues: true } as const
/** Only whole values can be filtered, as for currencies. */
export const WHOLE_VALUES = { ...VALUES, methods: ['equals'] } as const

export function filterOf({ filter }: Pick<Column<never>, 'filter'>): FilterKind | undefined {
  const spec = typeof filter === 'string' ? { kind: filter } : filter
  return spec && ({ ...(spec.kind === 'text' && { methods: ['contains', 'equals'] }), ...spec } as FilterKind)
}

/** Whether the table itself filters by the column. */
export function canFilter({
  filter,
  isFilteredAbove = false,
}: Pick<Column<never>, 'filter' | 'isFilteredAbove'>): boolean {
  return filter !== undefined && !isFilteredAbove
}

export function fieldOf(column: Pick<Column<never>, 'id' | 'field'>): string {
  return column.field ?? column.id
}

/** Numbers are aligned at the decimal point. */
export function isRightAligned({ kind, align }: Pick<Column<never>, 'kind' | 'align'>): boolean {
  return kind === 'number' || align === 'right'
}

/** A part of a number, date or time would be misread. */
export function isNeverCut({ kind }: Pick<Column<never>, 'kind'>): boolean {
  return kind !== undefined && kind !== 'id'
}
