import { dayIn } from '#domain/calendar/calendar-day.ts'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'

/** An export at once ends here; what is larger is made in the background. */
export const MAX_EXPORT = 30_000
/** How long the file of a background export can be downloaded. */
export const EXPORT_KEPT_DAYS = 7

export const tooManyTransactions = (most: number) =>
  `Total number of available transactions exceeds ${most}. Apply filters to reduce selection.`
export const TOO_MANY_TRANSACTIONS = tooManyTransactions(MAX_EXPORT)

/** What was requested, stored so that a restarted portal continues with the same. */
export type UsageExportRequest = { serverId?: string; filter?: FilterInput; sorting?: SortInput[] }

/** The time range of the screen, as far as the filter has one. */
function exportedRange(filter: FilterInput | undefined): { from?: string; to?: string } {
  const bounds: { from?: string; to?: string } = {}
  if (filter?.condition !== 'ALL') return bounds
  for (const criterion of filter.criteria) {
    if (!('name' in criterion) || criterion.not || typeof criterion.value !== 'string') continue
    if (criterion.name === 'EndTime_ts' && criterion.method === 'AFTER') bounds.from = criterion.value
    if (criterion.name === 'StartTime_ts' && criterion.method === 'BEFORE') bounds.to = criterion.value
  }
  return bounds
}

/** `usage-transactions_100001_2026-10-01_2026-10-31.csv`; the days are days of the account. */
export function exportFileName(customerNumber: string, filter: FilterInput | undefined, timeZone: string): string {
  const { from, to } = exportedRange(filter)
  const day = (instant: string | undefined, otherwise: string) => {
    const time = Date.parse(instant ?? '')
    return Number.isNaN(time) ? otherwise : dayIn(timeZone, new Date(time))
  }
  return `usage-transactions_${customerNumber}_${day(from, 'start')}_${day(to, 'today')}.csv`
}
