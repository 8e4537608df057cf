import { Chip, Group } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { SESSION_REFUSAL_CODES, SESSION_REFUSAL_LABELS } from '#domain/elastic/sessions/session-refusal.ts'
import type { CriterionInput } from '#domain/filter/filter.ts'
import { countText } from '#web/lib/format.ts'
import type { ColumnFilter } from '#web/table/filters/column-filter.ts'
import { countQuery } from '#web/table/list/list-queries.ts'
import type { ListSource } from '#web/table/list/list-source.ts'
import type { Table } from '#web/table/use-table.ts'
import { withFilter } from '#web/table/view/table-view.ts'

const COLUMN = 'ReasonText'

type Props<Row> = {
  state: Table<Row>['state']
  source: Pick<ListSource<Row>, 'key' | 'count'>
  /** The days that the table shows. */
  demand: CriterionInput
}

/** How often each reason occurred in the period; a click filters by it. */
export function ReasonChips<Row>({ state, source, demand }: Props<Row>) {
  const counts = useQueries({
    queries: SESSION_REFUSAL_CODES.map((reason) =>
      countQuery(source, {
        condition: 'ALL',
        criteria: [demand, { name: 'Reason', method: 'EQUALS', value: reason }],
      }),
    ),
  })
  const now = state.view.filters[COLUMN]
  return (
    <Group className="one-row" gap="xs" px="md" pb="xs" mih={32} role="group" aria-label="Reasons">
      {SESSION_REFUSAL_CODES.map((reason, at) => {
        const label = SESSION_REFUSAL_LABELS[reason]
        const count = counts[at]?.data ?? 0
        const isOn = now !== undefined && isLabel(now, label)
        if (count === 0 && !isOn) return null
        const filter = { filterType: 'text', type: 'equals', filter: label } as const
        return (
          <Chip
            key={reason}
            size="xs"
            variant="outline"
            checked={isOn}
            onChange={() => state.setView((view) => withFilter(view, COLUMN, isOn ? undefined : filter))}
          >
            {label} {countText(count)}
          </Chip>
        )
      })}
    </Group>
  )
}

/** Filters of the chips above. */
export const isReasonChip = (column: string, filter: ColumnFilter) =>
  column === COLUMN && Object.values(SESSION_REFUSAL_LABELS).some((label) => isLabel(filter, label))

const isLabel = (filter: ColumnFilter, label: string) =>
  filter.filterType === 'text' && filter.type === 'equals' && filter.filter === label
