import { Box, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { MAX_WINDOW, USUAL_WINDOW } from '#domain/elastic/balances/run-out.ts'
import { forecastUntil, type UnitsEnd, type UsageTrend, usageTrends } from '#domain/elastic/balances/usage-trend.ts'
import { compare, formatDecimal } from '#domain/money/decimal.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { amountText } from '#web/lib/format.ts'
import { runOutQuery } from '#web/modules/elastic/balances/balances.api.ts'
import { ChartCard, ChartFrame, LOW_HEIGHT } from '#web/ui/chart/chart-card.tsx'
import type { ChartPoint } from '#web/ui/chart/chart-series.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

const TITLE = 'Daily usage'

/** What an account used day by day, and when its units run out: a chart for each currency. */
export function UsageTrends() {
  const { number } = useKnownCustomer()
  const { data, error, refetch } = useQuery(runOutQuery(number))
  if (!data)
    return (
      <ChartFrame title={TITLE} subject={number} order={2}>
        {error ? (
          <FailureNotice failure={error} onRetry={() => void refetch()} />
        ) : (
          // As high as a chart with a caption of two lines: the tables below do not move when it arrives.
          <Box mih={`calc(${LOW_HEIGHT}px + 3.25rem)`}>
            <Spinner />
          </Box>
        )}
      </ChartFrame>
    )
  return usageTrends(data).map((trend) => <TrendCard key={trend.currency} trend={trend} today={data.asOf} />)
}

type Props = { trend: UsageTrend; today: CalendarDay }

function TrendCard({ trend, today }: Props) {
  const { number } = useKnownCustomer()
  const { currency, days } = trend
  const title = `${TITLE}, ${currency}`
  if (days.every(({ used }) => compare(used, 0) === 0))
    return (
      <ChartFrame title={title} subject={number} order={2}>
        <Text c="dimmed" mt="0.5rem">
          No units have been used in the last {MAX_WINDOW} days.
        </Text>
      </ChartFrame>
    )
  const points = pointsOf(trend, today)
  const hasForecast = points.some(({ values: [, forecast] }) => forecast !== null)
  return (
    <ChartCard
      title={title}
      subject={number}
      order={2}
      caption={captionOf(trend)}
      description={`Bars of the units used on each day, with a line for the forecast, in ${currency}`}
      pointName="Day"
      series={[
        { name: `Used (${currency})`, look: 'bars' },
        ...(hasForecast ? [{ name: 'Forecast', look: 'forecast' } as const] : []),
      ]}
      points={points}
      isByDay
      isLow
      valueText={amountText}
      fileName={`daily-usage-${number}-${currency}-${today}`}
    />
  )
}

/** The days so far, and the forecast from today to its last day. */
function pointsOf({ days, perDay, end }: UsageTrend, today: CalendarDay): ChartPoint[] {
  const forecast = perDay !== null && (end.kind === 'runs out' || end.kind === 'not used up') ? Number(perDay) : null
  const until = forecastUntil(today, end)
  const noteOn = (day: CalendarDay) => (end.kind === 'runs out' && end.on === day ? 'runs out' : undefined)
  return [
    ...days.map(({ day, used }) => ({
      label: day,
      values: [Number(used), day === today ? forecast : null],
      isSoFar: day === today,
      note: noteOn(day),
    })),
    ...(forecast === null || until === today ? [] : [{ label: until, values: [null, forecast], note: noteOn(until) }]),
  ]
}

function captionOf({ currency, total, perDay, end }: UsageTrend): string {
  const used = `${formatDecimal(total, 2)} ${currency} used in the last ${MAX_WINDOW} days and today.`
  const rate = `At the average of the last ${USUAL_WINDOW} days, ${formatDecimal(perDay ?? '0', 2)} a day,`
  return `${used} ${endText(end, rate)}`
}

function endText(end: UnitsEnd, rate: string): string {
  switch (end.kind) {
    case 'runs out':
      return `${rate} all units are used up on ${end.on}.`
    case 'not used up':
      return `${rate} units last${end.until ? ` until their term ends on ${end.until}` : ''}.`
    case 'no usage':
      return `Nothing was used in the last ${USUAL_WINDOW} days, so there is no forecast.`
    case 'used up':
      return 'All units are used up.'
    case 'no balance':
      return 'No balance is valid today or later, so there is no forecast.'
  }
}
