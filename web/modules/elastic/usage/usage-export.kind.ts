import { exportedDays, USAGE_EXPORT } from '#contract/elastic/usage/usage-exports.ts'
import { USAGE_COLUMNS } from '#contract/elastic/usage/usage-list.ts'
import type { UsageExportRequest } from '#domain/elastic/usage/usage-export.ts'
import { filterPhrases } from '#domain/filter/filter-phrases.ts'
import { timeText } from '#web/lib/format.ts'
import type { TaskKind } from '#web/ui/tasks/task-kind.ts'

const LABELS = new Map<string, string>([
  ...USAGE_COLUMNS.map(([name, label]): [string, string] => [name, label]),
  ['StartTime_ts', 'Start Time'],
  ['EndTime_ts', 'End Time'],
  ['ActivationID', 'Activation ID'],
  ['Active', 'Session is active'],
])

export const usageExportKind: TaskKind = {
  kind: USAGE_EXPORT,
  title: 'Usage transactions',
  noun: 'export',
  unit: 'transactions',
  describe({ request, timeZone }) {
    const { filter } = request as UsageExportRequest
    const { from, to, others } = exportedDays(filter, timeZone)
    const days = from || to ? `${from ?? 'Start'} to ${to ?? 'today'}` : 'All days'
    return [days, ...filterPhrases({ condition: 'ALL', criteria: others }, { labels: LABELS, timeText })]
  },
}
