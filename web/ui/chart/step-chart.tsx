import '@mantine/charts/styles.layer.css'
import { AreaChart } from '@mantine/charts'
import { useElementSize } from '@mantine/hooks'
import { addDays, type CalendarDay, daysBetween } from '#domain/calendar/calendar-day.ts'
import { countText } from '#web/lib/format.ts'
import type { ChartPoint } from '#web/ui/chart/chart-point.ts'
import classes from './chart-card.module.css'

const HEIGHT = 220
const AXIS_WIDTH = 76
const MARGIN = { top: 36, right: 40, bottom: 0, left: 0 }
/** Of a day below the axis with a gap beside it, in pixels. */
const TICK_ROOM = 110

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
  const { ref, width } = useElementSize()
  const first = points[0]?.label ?? until
  const end = [until, ...points.map(({ label }) => label)].sort().at(-1) ?? until
  const span = Math.max(1, daysBetween(first, end))
  const ticks = ticksOf(span, Math.floor((width - AXIS_WIDTH) / TICK_ROOM))
  const steps = points.map((point) => ({ ...point, at: daysBetween(first, point.label) }))
  const data = [...steps, { label: end, value: points.at(-1)?.value ?? 0, at: span }]
  return (
    <div ref={ref} className={classes.plot}>
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
        valueFormatter={countText}
        areaProps={{ isAnimationActive: false }}
        areaChartProps={{ accessibilityLayer: false, margin: MARGIN }}
        xAxisProps={{
          type: 'number',
          domain: [0, span],
          ticks,
          interval: 0,
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

/** Days counted from the first one, evenly spread: as many as there is room for. */
function ticksOf(span: number, room: number): number[] {
  const count = Math.max(1, Math.min(room, 6, span))
  return [...new Set(Array.from({ length: count + 1 }, (_, index) => Math.round((index * span) / count)))]
}
