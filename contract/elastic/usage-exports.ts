import { Type } from 'typebox'
import { usageScope } from '#contract/elastic/usage-list.ts'
import { exportBody } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { Task } from '#contract/tasks/tasks.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import type { FilterInput } from '#domain/filter/filter.ts'

/** The kind of the task that exports usage. The operations of tasks list it, answer its file and delete it. */
export const USAGE_EXPORT = 'usage-export'

export const startUsageExport = operation({
  name: 'fetchUsage/exports/start',
  method: 'POST',
  path: '/api/fetchUsage/exports',
  summary:
    'Begin a background export of everything that matches, or answer the same export if the caller has it already: waiting, running, or ready with no usage received since',
  module: 'elastic',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  writes: true,
  body: exportBody(usageScope),
  data: Task,
  extraFields: { reused: Type.Boolean({ description: 'The export was there already; nothing was begun' }) },
})

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
