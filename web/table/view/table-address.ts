import type { TablePreference } from '#contract/settings/preferences.ts'
import type { ColumnFilters } from '#web/table/filters/column-filter.ts'

/** What some screens keep with a view, such as a date range. */
export type ExtraFields = Pick<TablePreference, 'startDate' | 'endDate' | 'dateRange' | 'activeOnly'>

export const EXTRA_TEXTS = ['startDate', 'endDate', 'dateRange'] as const

/** One table of a screen, and what it opens with. */
type AddressedTable = ExtraFields & {
  /** The `urlPrefix` of the table, if the screen has several. */
  readonly prefix?: string
  readonly filters?: ColumnFilters
}

/** The address of a screen whose tables open with these filters. The saved views of the person who follows it stay as they are. */
export function tableAddress(path: string, ...tables: readonly AddressedTable[]): string {
  const params = new URLSearchParams()
  for (const { prefix = '', filters, activeOnly, ...texts } of tables) {
    if (filters) params.set(`${prefix}filter`, JSON.stringify(filters))
    for (const name of EXTRA_TEXTS) if (texts[name] !== undefined) params.set(prefix + name, texts[name])
    if (activeOnly) params.set(`${prefix}activeOnly`, 'true')
  }
  return params.size === 0 ? path : `${path}?${params}`
}
