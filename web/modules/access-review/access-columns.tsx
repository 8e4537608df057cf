import {
  ACCESS_KINDS,
  ACCESS_SOURCES,
  type AccessKind,
  type AccessSource,
  KIND_TEXTS,
  SOURCE_TEXTS,
} from '#domain/access-review/access.ts'
import { DECISION_TEXTS, DECISIONS, type Decision } from '#domain/access-review/decision.ts'
import { timeText } from '#web/lib/format.ts'
import type { AccessRow, FinishedReview } from '#web/modules/access-review/access-review.api.ts'
import type { Column } from '#web/table/columns/column.ts'
import { countColumn, dayColumn, textColumn, timeColumn, valuesColumn } from '#web/table/columns/column-kinds.ts'
import { SignalDot } from '#web/ui/signal-dot.tsx'

const SIGNALS = { open: 'blue', kept: 'green', 'taken-away': 'none', gone: 'none' } as const

const usedText = ({ lastUsed }: AccessRow) => (lastUsed === null ? 'Never' : timeText(lastUsed))

const name: Column<AccessRow> = textColumn('name', 'Access', 200, { flexible: { min: 170 }, phone: 'first line' })
const kind: Column<AccessRow> = textColumn('kind', 'Kind', 120, {
  filter: {
    kind: 'text',
    hasValues: ACCESS_KINDS,
    valueText: (value) => KIND_TEXTS[value as AccessKind] ?? value,
  },
  phone: 'second line',
  text: (row) => KIND_TEXTS[row.kind],
})
const role: Column<AccessRow> = textColumn('role', 'Role', 138, { phone: 'third line' })
const source: Column<AccessRow> = textColumn('source', 'Source', 88, {
  filter: {
    kind: 'text',
    hasValues: ACCESS_SOURCES,
    valueText: (value) => SOURCE_TEXTS[value as AccessSource] ?? value,
  },
  text: (row) => SOURCE_TEXTS[row.source],
})
const lastUsed: Column<AccessRow> = timeColumn('lastUsed', 'Last Used', 166, {
  phone: 'second line',
  text: usedText,
  cell: (row) => (row.isUnused ? <SignalDot signal="orange">{usedText(row)}</SignalDot> : usedText(row)),
})
const hidden = { isHidden: true } as const
const origin: readonly Column<AccessRow>[] = [
  valuesColumn('holder', 'Person', 200, hidden),
  valuesColumn('givenBy', 'Given By', 190, hidden),
]

/** What has access now, without a review. */
export const ACCESS_COLUMNS: readonly Column<AccessRow>[] = [
  name,
  kind,
  role,
  source,
  lastUsed,
  timeColumn('since', 'Since', 155),
  ...origin,
]

/** The entries of a review. */
export const ENTRY_COLUMNS: readonly Column<AccessRow>[] = [
  name,
  kind,
  role,
  source,
  lastUsed,
  textColumn('decision', 'Decision', 108, {
    filter: {
      kind: 'text',
      hasValues: DECISIONS,
      valueText: (value) => DECISION_TEXTS[value as Decision] ?? value,
    },
    phone: 'third line',
    text: (row) => DECISION_TEXTS[row.decision],
    cell: (row) => <SignalDot signal={SIGNALS[row.decision]}>{DECISION_TEXTS[row.decision]}</SignalDot>,
  }),
  timeColumn('since', 'Since', 155, hidden),
  ...origin,
  valuesColumn('decidedBy', 'Decided By', 190, hidden),
  timeColumn('decidedAt', 'Decided', 155, hidden),
  textColumn('reason', 'Reason', 220, hidden),
]

export const FINISHED_COLUMNS: readonly Column<FinishedReview>[] = [
  timeColumn('finishedAt', 'Finished', 166, { phone: 'first line' }),
  textColumn('finishedBy', 'By', 200, { flexible: { min: 140 }, phone: 'second line' }),
  timeColumn('openedAt', 'Opened', 155, hidden),
  textColumn('openedBy', 'Opened By', 190, { ...hidden, text: ({ openedBy }) => openedBy ?? 'Schedule' }),
  dayColumn('dueOn', 'Due', 100),
  countColumn('kept', 'Kept', 72, { phone: 'second line' }),
  countColumn('takenAway', 'Taken Away', 84),
  countColumn('undecided', 'Not Decided', 84),
  countColumn('gone', 'Gone Already', 90, hidden),
]
