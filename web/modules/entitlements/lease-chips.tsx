import { Chip, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { MAINTENANCE_ENDED, PERMANENT } from '#domain/entitlements/term.ts'
import { WEB_LICENSE_MODELS } from '#domain/web-licenses/web-license.ts'
import { countOf, countText } from '#web/lib/format.ts'
import { leaseQuestion } from '#web/modules/entitlements/lease-request.ts'
import { leasesEndText } from '#web/parts/entitlement/leases-end-text.ts'
import type { ColumnFilter, ColumnFilters } from '#web/table/filters/column-filter.ts'
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

/** As wide as two digits. */
const ROOM_FOR_COUNT = '\u2007\u2007'

const HAS_SEATS = { name: 'AnsysActivated', method: '>', value: 0 } as const
const IS_WEB = { filterType: 'set', values: Object.values(WEB_LICENSE_MODELS) } as const

type Props<Row> = {
  state: Table<never>['state']
  source: Pick<ListSource<Row>, 'key' | 'count'>
  today: CalendarDay
}

/** What people look for most: what ends soon, what never ends, and what is no longer maintained. */
export const LeaseChips = memo(function LeaseChips<Row>({ state, source, today }: Props<Row>) {
  const soonAnd = (filters: ColumnFilters) =>
    leaseQuestion({ filters: { [SOON.column]: filterOf(SOON.text), ...filters }, sorting: [] }, today).filter
  const soon = soonAnd({})
  const { data: ending } = useQuery(countQuery(source, soon))
  const { data: withSeats } = useQuery(countQuery(source, { ...soon, criteria: [...soon.criteria, HAS_SEATS] }))
  const { data: webLicenses } = useQuery(countQuery(source, soonAnd({ ansyslicensemodel: IS_WEB })))
  const isKnown = withSeats !== undefined && webLicenses !== undefined
  const summary =
    ending && isKnown
      ? [
          leasesEndText(ending - webLicenses, withSeats, 'within 30 days'),
          ...(webLicenses > 0 ? [`and ${countOf(webLicenses, 'web license')}`] : []),
        ].join(', ')
      : undefined
  return (
    <Group gap={4}>
      {CHIPS.map(({ column, text, label }) => {
        const now = state.view.filters[column]
        const isOn = now !== undefined && isText(now, text)
        return (
          <Chip
            key={text}
            size="xs"
            variant="outline"
            {...(text === SOON.text && summary && { 'aria-description': summary, wrapperProps: { title: summary } })}
            checked={isOn}
            onChange={() => state.setView((view) => withFilter(view, column, isOn ? undefined : filterOf(text)))}
          >
            {label}
            {text === SOON.text && ` ${ending === undefined ? ROOM_FOR_COUNT : countText(ending)}`}
          </Chip>
        )
      })}
    </Group>
  )
})

/** Filters of the chips above. */
export const isLeaseChip = (column: string, filter: ColumnFilter) =>
  CHIPS.some((chip) => chip.column === column && isText(filter, chip.text))

const isText = (filter: ColumnFilter, text: string) => filter.filterType === 'text' && filter.filter === text

function filterOf(text: string) {
  return { filterType: 'text', type: 'contains', filter: text } as const
}
