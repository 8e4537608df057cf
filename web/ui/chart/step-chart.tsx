import '@mantine/charts/styles.layer.css'
import { AreaChart } from '@mantine/charts'
import { addDays, type CalendarDay, daysBetween } from '#domain/calendar/calendar-day.ts'
import { countText } from '#web/lib/format.ts'
import type { ChartPoint } from '#web/ui/chart/chart-point.ts'
import { limitLine } from '#web/ui/chart/limit-line.ts'
import classes from './chart-card.module.css'

const HEIGHT = 220
const AXIS_WIDTH = 76
const MARGIN = { top: 36, right: 40, bottom: 0, left: 0 }
/** Days below the axis; those without room are left out. */
const TICKS = 6
const TICK_GAP = 16

type Props = {
  /** Their labels are days, the first one first. */
  points: readonly ChartPoint[]
  /** The last value is drawn until this day. */
  until: CalendarDay
  series: string
  valueText(value: number): string
}

/** A value that stays until the next point, true to the time between them. Loaded on demand. */
export function StepChart({ points, until, series, valueText }: Props) {
  const first = points[0]?.label ?? until
  const end = [until, ...points.map(({ label }) => label)].sort().at(-1) ?? until
  const span = Math.max(1, daysBetween(first, end))
  const steps = points.map((point) => ({ ...point, at: daysBetween(first, point.label) }))
  const data = [...steps, { label: end, value: points.at(-1)?.value ?? 0, at: span }]
  return (
    <div className={classes.plot}>
      <AreaChart
        h={HEIGHT}
        data={data}
        dataKey="at"
        series={[{ name: 'value', label: series, color: 'var(--portal-focus)' }]}
        curveType="stepAfter"
        withGradient={false}
        withDots={steps.length <= MAX_DOTS}
        dotProps={{ r: 3 }}
        tickLine="none"
        {...limitLine(points)}
        valueFormatter={countText}
        areaProps={{ isAnimationActive: false }}
        areaChartProps={{ accessibilityLayer: false, margin: MARGIN }}
        xAxisProps={{
          type: 'number',
          domain: [0, span],
          ticks: ticksOf(span),
          interval: 'preserveStartEnd',
          minTickGap: TICK_GAP,
          tickFormatter: (at: number) => addDays(first, at),
        }}
        yAxisProps={{ width: AXIS_WIDTH, interval: 0 }}
        tooltipProps={{
          position: { y: 0 },
          content: ({ active, label }) => {
            const point = active && data.find(({ at }) => at === label)
            return point ? (
              <div className={classes.tooltip}>
                {point.label}: {valueText(point.value)}
              </div>
            ) : null
          },
        }}
      />
    </div>
  )
}

/** More of them hide the line. */
const MAX_DOTS = 40

/** Days counted from the first one, evenly spread. */
function ticksOf(span: number): number[] {
  const steps = Math.min(TICKS - 1, span)
  return Array.from({ length: steps + 1 }, (_, index) => Math.round((index * span) / steps))
}
