import { Anchor, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ElasticRow } from '#contract/elastic/balances/elastic-row.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { FORECAST_METHOD, type WindowForecast } from '#domain/elastic/balances/run-out.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { amountText, unitsText } from '#web/lib/format.ts'
import { monthlyDrawQuery } from '#web/modules/elastic/balances/balances.api.ts'
import { everyMonth, totalDraw } from '#web/modules/elastic/balances/monthly-draw.ts'
import { tableAddress } from '#web/table/view/table-address.ts'
import { ChartCard, ChartFrame } from '#web/ui/chart/chart-card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './balances.module.css'

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
        {draw.data ? (
          <Text c="dimmed" mt="0.5rem">
            No units have been used yet.
          </Text>
        ) : (
          <Spinner />
        )}
      </ChartFrame>
    )
  const months = everyMonth(draw.data)
  return (
    <ChartCard
      {...card}
      description={`Bar chart of the units used each month, in ${currency}`}
      pointName="Month"
      series={[{ name: `Used (${currency})`, look: 'bars' }]}
      points={months.map(({ month, used }) => ({
        label: month,
        values: [used],
        isSoFar: month === info.today.slice(0, 7),
      }))}
      total={totalDraw(months)}
      valueText={amountText}
      fileName={`monthly-draw-${activationid}`}
    />
  )
}

/** When one balance is used up, at the rate of each window. */
function RunOutFacts({ currency, windows }: { currency: string; windows: readonly WindowForecast[] }) {
  return (
    <section aria-label="Run-out forecast">
      <Title order={3} mt="md" mb={6}>
        Run-out forecast
      </Title>
      <Facts facts={windows.map((one) => [`By the last ${one.window} days`, factText(one, currency)])} />
      <Text size="xs" c="dimmed" mt={6} maw="48rem">
        {FORECAST_METHOD}
      </Text>
    </section>
  )
}

function factText({ window, averagedDays, perDay, runOut }: WindowForecast, currency: string): string {
  const shorter = averagedDays < window ? `, average of ${averagedDays} ${averagedDays === 1 ? 'day' : 'days'}` : ''
  const rate = `${formatDecimal(perDay, 2)} ${currency} a day${shorter}`
  switch (runOut.kind) {
    case 'runs out':
      return `Used up on ${runOut.on} (${rate})`
    case 'not used up':
      return `Not used up: ${formatDecimal(runOut.unused, 2)} ${currency} left at the end (${rate})`
    case 'no usage':
      return 'No usage'
    case 'used up':
      return 'Used up'
  }
}
