import { STATEMENT_PRESETS } from '#domain/calendar/presets.ts'
import { orderColumns } from '#web/modules/elastic/statements/statement-columns.ts'
import type { PeriodChoice } from '#web/ui/date-range/period.ts'

export const PERIODS: PeriodChoice = { presets: STATEMENT_PRESETS, fallback: 'Last month' }

/** The period is saved with the view of this table. Reset View restores both, and all tabs have the same period. */
export const ORDER_VIEW = {
  tableName: 'statementByPurchaseOrder',
  columns: orderColumns(false),
  sorting: [],
  urlPrefix: '',
} as const

/** The parameter of the address that names the dimension of a chargeback. */
export const DIMENSION = 'chargeback'
export const isChargebackAddress = (search: URLSearchParams): boolean => search.has(DIMENSION)
