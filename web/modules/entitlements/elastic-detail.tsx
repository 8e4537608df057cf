import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ElasticRow } from '#contract/elastic/balances/elastic-row.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { amountText, unitsText } from '#web/lib/format.ts'
import { PortalLink } from '#web/lib/portal-link.tsx'
import { monthlyDrawQuery } from '#web/modules/entitlements/elastic.api.ts'
import { everyMonth, totalDraw } from '#web/modules/entitlements/monthly-draw.ts'
import { tableAddress } from '#web/table/view/table-address.ts'
import { ChartCard, ChartFrame } from '#web/ui/chart/chart-card.tsx'
import { RunOutFacts } from '#web/ui/entitlement/run-out-facts.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './elastic-detail.module.css'

export function ElasticDetail({ row }: { row: ElasticRow }) {
  const { info } = useKnownCustomer()
  const hasStarted = row.startdate <= info.today
  return (
    <div className={classes.detail}>
      <Facts
        layout="above"
        facts={[
          ['Purchase order', row.ansysponum || 'None'],
          ['Start date', row.startdate],
          ['Rate table', row.ansysratetableversion || 'None'],
          ['Units per line', unitsText(row.ansyscount)],
          ['Total', `${unitsText(row.quantity)} ${row.currency}`],
          [
            'Usage',
            hasStarted && (
              <Anchor component={PortalLink} to={usageAddress(row, info.today)}>
                Show usage transactions
              </Anchor>
            ),
          ],
        ]}
      />
      <div>
        <MonthlyDraw row={row} />
        {row.runouts.length > 0 && <RunOutFacts currency={row.currency} windows={row.runouts} />}
      </div>
    </div>
  )
}

/** The sessions that drew on this entitlement, on all days of its term so far. */
function usageAddress({ activationid, startdate, enddate }: ElasticRow, today: CalendarDay): string {
  const filters = { ActivationID: { filterType: 'text', type: 'equals', filter: activationid } } as const
  const endDate = enddate && enddate < today ? enddate : today
  return tableAddress('/transactions', { startDate: startdate, endDate, filters })
}

function MonthlyDraw({ row: { activationid, currency } }: { row: ElasticRow }) {
  const { number, info } = useKnownCustomer()
  const draw = useQuery(monthlyDrawQuery(number, activationid))
  const card = { title: 'Monthly usage', subject: activationid }
  if (draw.error)
    return (
      <ChartFrame {...card}>
        <FailureNotice failure={draw.error} onRetry={() => void draw.refetch()} />
      </ChartFrame>
    )
  if (!draw.data || draw.data.length === 0)
    return (
      <ChartFrame {...card}>
        {draw.data ? <p className={classes.nothing}>No units have been used yet.</p> : <Spinner />}
      </ChartFrame>
    )
  const months = everyMonth(draw.data)
  return (
    <ChartCard
      {...card}
      description={`Bar chart of the units used each month, in ${currency}`}
      points={months.map(({ month, used }) => ({
        label: month,
        value: used,
        isSoFar: month === info.today.slice(0, 7),
      }))}
      columns={['Month', `Used (${currency})`]}
      total={totalDraw(months)}
      valueText={amountText}
      fileName={`monthly-draw-${activationid}`}
    />
  )
}
