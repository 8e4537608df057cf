import { AUDIT_COLUMNS, AUDIT_EXPORT } from '#contract/audit/audit.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { filterPhrases } from '#domain/filter/filter-phrases.ts'
import { timeText } from '#web/lib/format.ts'
import type { TaskKind } from '#web/parts/tasks/task-kind.ts'

const LABELS: ReadonlyMap<string, string> = new Map(AUDIT_COLUMNS)

export const auditExportKinds: readonly TaskKind[] = [
  {
    kind: AUDIT_EXPORT,
    title: 'Audit log',
    noun: 'export',
    unit: 'entries',
    describe({ request }) {
      const { filter } = request as { filter?: FilterInput }
      const phrases = filterPhrases(filter ?? { condition: 'ALL', criteria: [] }, { labels: LABELS, timeText })
      return phrases.length > 0 ? phrases : ['All entries']
    },
  },
]
