import { Anchor, Text } from '@mantine/core'
import { useMemo } from 'react'
import { DENIAL_COLUMNS, type Denial, denialList } from '#contract/elastic/sessions/denial-list.ts'
import { type DayRange, instantsOf } from '#domain/calendar/day-range.ts'
import { USAGE_PRESETS } from '#domain/calendar/presets.ts'
import { SESSION_DENIALS, type SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import type { CriterionInput } from '#domain/filter/filter.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { PinLocks } from '#web/modules/elastic/credentials/pin-locks.tsx'
import { AddUsername, AllowAddress, RaiseLimit, ResetPinLock } from '#web/modules/elastic/sessions/denial-fix.tsx'
import { isReasonChip, ReasonChips } from '#web/modules/elastic/sessions/reason-chips.tsx'
import { Ask } from '#web/parts/order-or-ask.tsx'
import { listColumns } from '#web/table/columns/list-columns.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { sourceOf } from '#web/table/list/declared-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { TableCsv } from '#web/ui/csv-export.tsx'
import { daysOf, type Period, type PeriodChoice, readPeriod, savePeriod } from '#web/ui/date-range/period.ts'
import { PeriodBar } from '#web/ui/date-range/period-bar.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

const PERIODS: PeriodChoice = { presets: USAGE_PRESETS, fallback: '1 Month' }

const COLUMNS = listColumns<Denial, (typeof DENIAL_COLUMNS)[number][0]>(denialList, DENIAL_COLUMNS, {
  Time: { isSticky: true, phone: 'second line' },
  ReasonText: { width: 220, phone: 'first line' },
  Product: { width: 200, flexible: { min: 170 } },
  ProductCount: { width: 70 },
  User: { width: 130, phone: 'second line' },
  productVersion: { width: 110 },
  ServerID: { width: 144, kind: 'id', isHidden: true },
  Limit: { width: 240, isHidden: true },
})

/** Denied session starts, and what can be done about each. */
export function Page() {
  const { number, info } = useKnownCustomer()
  const source = useMemo(() => denialSource(number), [number])
  const table = useTable({
    tableName: 'elasticDenials',
    columns: COLUMNS,
    rowKey,
    source,
    demands: ({ extra }) => [inDays(daysOf(readPeriod(extra, info.timeZone, PERIODS), info.today), info.timeZone)],
  })
  const { state } = table
  const period = readPeriod(state.extra, info.timeZone, PERIODS)
  const days = daysOf(period, info.today)
  const choose = (next: Period) => state.change(({ view }) => ({ view, extra: savePeriod(next, PERIODS) }))
  return (
    <>
      <PageHead context="Denied session starts of the last year." />
      <PinLocks customerNumber={number} />
      <DataTable
        table={table}
        label="Elastic denials"
        what="denials"
        rowName={nameOf}
        detail={explanationOf}
        rowActions={fixOf}
        actionsWidth={136}
        notice={<ReasonChips state={state} source={source} demand={inDays(days, info.timeZone)} />}
        scope={`From ${days.from} to ${days.to}`}
        isPreset={isReasonChip}
        controls={<PeriodBar isInCard periods={PERIODS} period={period} days={days} onChoose={choose} />}
        actions={
          <TableCsv
            table={table}
            fetchCsv={(question) =>
              fetchFile('elastic/denials/export', { body: { customerNumber: number, ...question } })
            }
            fileName={`elastic-denials_${number}_${info.today}.csv`}
          />
        }
        noRows={`No session start was denied from ${days.from} to ${days.to}. Choose a longer date range.`}
      />
    </>
  )
}

function inDays(days: DayRange, timeZone: string): CriterionInput {
  const { from, to } = instantsOf(days, timeZone)
  return { name: 'Time', method: 'DATERANGE', value: [from.toISOString(), to.toISOString()] }
}

const rowKey = (row: Denial) => String(row.Id)
const nameOf = (row: Denial) => `${row.ReasonText}, ${row.User}`
const explanationOf = (row: Denial) => <Explanation denial={row} />
const fixOf = (row: Denial) => <DenialFix denial={row} />

/** The screen on which the account can change the cause of a denial. */
const REMEDIES: Partial<Record<SessionRefusal, { text: string; to: string; link: string }>> = {
  WRONG_PIN: { text: 'Compare both with', to: '/clscredentials', link: 'Elastic Credentials' },
  USER_NOT_ALLOWED: { text: 'All allowed usernames are in', to: '/clscredentials', link: 'Elastic Credentials' },
  ADDRESS_NOT_ALLOWED: { text: 'All rules are in', to: '/whitelistips', link: 'Elastic IP Settings' },
  PRODUCT_NOT_ALLOWED: { text: 'Who may start which products is in', to: '/limits', link: 'Limits' },
  LIMIT: { text: 'All limits are in', to: '/limits', link: 'Limits' },
  NO_BALANCE: { text: 'See the balances in', to: '/elastic', link: 'Elastic Licensing' },
}

function Explanation({ denial }: { denial: Denial }) {
  const reason = denial.Reason as SessionRefusal
  const remedy = REMEDIES[reason]
  return (
    <Text size="sm" p="xs">
      {SESSION_DENIALS[reason] ?? reason} {denial.Limit && `${denial.Limit}. `}
      {reason === 'LOCKED' &&
        'A locked address is unlocked after a day at the latest, or by staff of the vendor on this screen.'}
      {remedy && (
        <>
          {remedy.text}{' '}
          <Anchor inherit underline="always" component={PortalLink} to={remedy.to}>
            {remedy.link}
          </Anchor>
          .
        </>
      )}
    </Text>
  )
}

/** What lets the next start pass, each with its confirmation. */
function DenialFix({ denial }: { denial: Denial }) {
  const server = denial.ServerID
  const reason = denial.Reason as SessionRefusal
  switch (reason) {
    case 'ADDRESS_NOT_ALLOWED':
      return <AllowAddress denied={{ server, subject: denial.REFERER_IP_ADDRESS }} />
    case 'USER_NOT_ALLOWED':
      return <AddUsername denied={{ server, subject: denial.User }} />
    case 'LOCKED':
      return <ResetPinLock denied={{ server, subject: denial.REFERER_IP_ADDRESS }} />
    case 'LIMIT':
      return denial.LimitID === null ? null : <RaiseLimit limitId={denial.LimitID} />
    case 'NO_BALANCE':
      return <Ask about={`elastic units for ${denial.Product}`} facts={[`Reason: ${SESSION_DENIALS[reason]}`]} />
    default:
      return null
  }
}

const ATTRIBUTES = ['Id', 'Reason', 'LimitID', ...DENIAL_COLUMNS.map(([field]) => field)] as const

const denialSource = (customerNumber: string) =>
  sourceOf(denialList, { customerNumber }, { key: ['elastic-denials', customerNumber], attributes: ATTRIBUTES })
