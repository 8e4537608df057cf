import { addDays, type CalendarDay, daysBetween } from '#domain/calendar/calendar-day.ts'
import type { ChartPoint } from '#web/ui/chart/chart-point.ts'
import { Plot, usePlotWidth } from '#web/ui/chart/plot.tsx'
import classes from './plot.module.css'

const HEIGHT = 154
const MARGIN = { top: 36, right: 40, bottom: 30, left: 76 }
/** Days below the axis; fewer where there is no room. */
const TICKS = 6
const TICK_WIDTH = 84
/** More of them hide the line. */
const MAX_DOTS = 40

type Props = {
  /** Points whose labels are days, in ascending order. */
  points: readonly ChartPoint[]
  /** The last value is drawn until this day. */
  until: CalendarDay
  valueText(value: number): string
}

/** A line of values that stay until the next point, drawn to scale in time. */
export function StepChart({ points, until, valueText }: Props) {
  const { ref, width } = usePlotWidth()
  const first = points[0]?.label ?? until
  const end = [until, ...points.map(({ label }) => label)].sort().at(-1) ?? until
  const span = Math.max(1, daysBetween(first, end))
  const room = width - MARGIN.left - MARGIN.right
  const xOf = (day: number) => MARGIN.left + (room * day) / span
  const steps = points.map((point) => ({ ...point, x: xOf(daysBetween(first, point.label)) }))
  const data = [...steps, { label: end, value: points.at(-1)?.value ?? 0, x: xOf(span) }]
  return (
    <Plot
      ref={ref}
      width={width}
      height={HEIGHT}
      margin={MARGIN}
      points={points}
      hasLimitLine
      places={data.map(({ x }) => x)}
      tooltipOf={(place) => `${data[place]?.label}: ${valueText(data[place]?.value ?? 0)}`}
    >
      {({ bottom, ground, yOf }, pointed) => {
        const line = data
          .map(({ x, value }, index) => (index === 0 ? `M${x} ${yOf(value)}` : `H${x}V${yOf(value)}`))
          .join('')
        return (
          <>
            <path className={classes.area} d={`${line}V${ground}H${MARGIN.left}Z`} />
            <path className={classes.steps} d={line} strokeWidth={2} />
            {data.map(
              ({ label, value, x }, index) =>
                (index === pointed || (index < steps.length && steps.length <= MAX_DOTS)) && (
                  <circle
                    key={`${label} ${index}`}
                    className={classes.dot}
                    cx={x}
                    cy={yOf(value)}
                    r={index === pointed ? 5 : 3}
                  />
                ),
            )}
            {ticksOf(span, room).map((day) => (
              <text key={day} className={classes.label} x={xOf(day)} y={bottom + 20} textAnchor="middle">
                {addDays(first, day)}
              </text>
            ))}
          </>
        )
      }}
    </Plot>
  )
}

/** Days counted from the first one, evenly spread. */
function ticksOf(span: number, room: number): number[] {
  const steps = Math.max(1, Math.min(TICKS - 1, span, Math.floor(room / TICK_WIDTH)))
  return Array.from({ length: steps + 1 }, (_, index) => Math.round((index * span) / steps))
}
