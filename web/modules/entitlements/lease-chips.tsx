import { Chip, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { MAINTENANCE_ENDED, PERMANENT } from '#domain/entitlements/term.ts'
import { countText } from '#web/lib/format.ts'
import { leaseQuestion } from '#web/modules/entitlements/lease-request.ts'
import { countQuery } from '#web/table/list/list-queries.ts'
import type { ListSource } from '#web/table/list/list-source.ts'
import type { Table } from '#web/table/use-table.ts'
import { withFilter } from '#web/table/view/table-view.ts'

const SOON = { column: 'remainingdays', text: '≤ 30', label: '≤ 30 days' } as const
const CHIPS = [
  SOON,
  { column: 'remainingdays', text: '≤ 90', label: '≤ 90 days' },
  { column: 'remainingdays', text: PERMANENT, label: 'Permanent' },
  { column: 'enddate', text: MAINTENANCE_ENDED, label: MAINTENANCE_ENDED },
] as const

type Props<Row> = {
  state: Table<never>['state']
  source: Pick<ListSource<Row>, 'key' | 'count'>
  today: CalendarDay
}

/** What people look for most: what ends soon, what never ends, and what is no longer maintained. */
export const LeaseChips = memo(function LeaseChips<Row>({ state, source, today }: Props<Row>) {
  const soon = leaseQuestion({ filters: { [SOON.column]: filterOf(SOON.text) }, sorting: [] }, today).filter
  const { data: ending } = useQuery(countQuery(source, soon))
  return (
    <Group gap={6}>
      {CHIPS.map(({ column, text, label }) => {
        const now = state.view.filters[column]
        const isOn = now?.filterType === 'text' && now.filter === text
        return (
          <Chip
            key={text}
            size="xs"
            variant="outline"
            checked={isOn}
            onChange={() => state.setView((view) => withFilter(view, column, isOn ? undefined : filterOf(text)))}
          >
            {label}
            {text === SOON.text && ending !== undefined && ` (${countText(ending)})`}
          </Chip>
        )
      })}
    </Group>
  )
})

function filterOf(text: string) {
  return { filterType: 'text', type: 'contains', filter: text } as const
}
