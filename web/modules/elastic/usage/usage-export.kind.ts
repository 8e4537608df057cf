import { ENDED_IN_PERIOD, exportedDays, USAGE_EXPORT, USAGE_REPORT } from '#contract/elastic/usage/usage-exports.ts'
import { USAGE_LABELS } from '#contract/elastic/usage/usage-list.ts'
import type { UsageExportRequest } from '#domain/elastic/usage/usage-export.ts'
import { filterPhrases } from '#domain/filter/filter-phrases.ts'
import { timeText } from '#web/lib/format.ts'
import type { TaskKind } from '#web/parts/tasks/task-kind.ts'

const common: Omit<TaskKind, 'kind' | 'title'> = {
  noun: 'export',
  unit: 'transactions',
  describe({ request, timeZone }) {
    const { filter } = request as UsageExportRequest
    const { from, to, isEnded, others } = exportedDays(filter, timeZone)
    const days = from || to ? `${from ?? 'Start'} to ${to ?? 'today'}` : 'All days'
    const phrases = filterPhrases({ condition: 'ALL', criteria: others }, { labels: USAGE_LABELS, timeText })
    return [days, ...(isEnded ? [ENDED_IN_PERIOD] : []), ...phrases]
  },
}

export const usageExportKinds: readonly TaskKind[] = [
  { kind: USAGE_EXPORT, title: 'Usage transactions', ...common },
  { kind: USAGE_REPORT, title: 'Usage for finance', ...common },
]
