import { addDays, type CalendarDay, daysBetween } from '#domain/calendar/calendar-day.ts'
import type { ChartPoint } from '#web/ui/chart/chart-series.ts'
import { haveNotesRoom, isLeftOfLine, type MarkPlace, textStart } from '#web/ui/chart/mark-notes.ts'
import { LEFT, Plot, type PlotProps, RIGHT, usePlotWidth, widthOf } from '#web/ui/chart/plot.tsx'
import classes from './plot.module.css'

const AXIS_HEIGHT = 30
/** Days below the axis; fewer where there is no room. */
const TICKS = 6
const TICK_WIDTH = 84
/** More of them hide the line. */
const MAX_DOTS = 40
const WIDEST_BAR = 36
/** The part of a day's width that its bar fills. */
const FILLED = 0.8

/** The points are days, in ascending order. */
type Props = PlotProps & {
  /** The last value of steps stays until this day. */
  until?: CalendarDay | undefined
}

/**
 * Values by day, drawn to scale in time. A bar is one day wide; steps and lines stay at a value until the next point. A
 * point with a note is marked. Notes that would hide each other are in the tooltip and in the table only.
 */
export function DayChart({ until, ...props }: Props) {
  const { ref, width } = usePlotWidth()
  const { series, points } = props.data
  const hasBars = series.some(({ look }) => look === 'bars')
  const days = [...points.map(({ label }) => label), ...(until ? [until] : [])].sort()
  const [first = '', end = ''] = [days[0], days.at(-1)]
  // The last day of bars has a width as well.
  const lastDay = daysBetween(first, end)
  const span = Math.max(1, hasBars ? lastDay + 1 : lastDay)
  const room = width - LEFT - RIGHT
  const xOf = (day: number) => LEFT + (room * day) / span
  const dayWidth = hasBars ? room / span : 0
  const starts = points.map(({ label }) => xOf(daysBetween(first, label)))
  const places = starts.map((x) => x + dayWidth / 2)
  const marks = points.flatMap((point, at) => (point.note ? [markOf(point, point.note, places[at] ?? 0)] : []))
  const hasNotes = haveNotesRoom(marks, width)
  return (
    <Plot {...props} ref={ref} width={width} axisHeight={AXIS_HEIGHT} places={places}>
      {({ top, bottom, ground, yOf }, pointed) => (
        <>
          {series.map(({ name, look }, index) => {
            const drawn = points.flatMap((point, at) => {
              const value = point.values[index] ?? null
              return value === null ? [] : [{ point, value, at, x: starts[at] ?? 0 }]
            })
            if (look === 'bars') {
              const barWidth = Math.min(WIDEST_BAR, Math.max(1, dayWidth * FILLED))
              return drawn.map(({ point, value, at }) => (
                <rect
                  key={point.label}
                  className={classes.bar}
                  data-so-far={point.isSoFar || undefined}
                  x={(places[at] ?? 0) - barWidth / 2}
                  y={Math.min(ground, yOf(value))}
                  width={barWidth}
                  height={Math.abs(ground - yOf(value))}
                />
              ))
            }
            const stop = hasBars ? (drawn.at(-1)?.x ?? 0) + dayWidth : xOf(span)
            const line = `${drawn
              .map(({ x, value }, at) => (at === 0 ? `M${x} ${yOf(value)}` : `H${x}V${yOf(value)}`))
              .join('')}H${stop}`
            if (look === 'limit' || look === 'forecast') return <path key={name} className={classes[look]} d={line} />
            return (
              <g key={name}>
                <path className={classes.area} d={`${line}V${ground}H${drawn[0]?.x ?? 0}Z`} />
                <path className={classes.steps} d={line} strokeWidth={2} />
                {drawn.length <= MAX_DOTS &&
                  drawn.map(({ point, value, x }) => (
                    <circle key={point.label} className={classes.dot} cx={x} cy={yOf(value)} r={3} />
                  ))}
              </g>
            )
          })}
          {marks.map((mark) => (
            <Mark key={mark.text} mark={mark} {...{ top, bottom, width, hasNotes }} />
          ))}
          {pointed !== undefined && (
            <line className={classes.cursor} x1={places[pointed]} x2={places[pointed]} y1={top} y2={bottom} />
          )}
          {ticksOf(lastDay, room).map((day) => (
            <text key={day} className={classes.label} x={xOf(day) + dayWidth / 2} y={bottom + 20} textAnchor="middle">
              {addDays(first, day)}
            </text>
          ))}
        </>
      )}
    </Plot>
  )
}

type DayMark = MarkPlace & { readonly text: string }

function markOf({ label }: ChartPoint, note: string, x: number): DayMark {
  const text = `${note.charAt(0).toUpperCase()}${note.slice(1)} on ${label}`
  return { x, text, textWidth: widthOf(text) }
}

type MarkProps = { mark: DayMark; top: number; bottom: number; width: number; hasNotes: boolean }

/** A line through a day, with what happens on it. */
function Mark({ mark, top, bottom, width, hasNotes }: MarkProps) {
  const { x, text } = mark
  return (
    <g className={classes.mark}>
      <line x1={x} x2={x} y1={top} y2={bottom} />
      <path d={`M${x} ${bottom - 6}l5 6h-10z`} />
      {hasNotes && (
        <text x={textStart(mark, width)} y={top + 10} textAnchor={isLeftOfLine(mark, width) ? 'end' : 'start'}>
          {text}
        </text>
      )}
    </g>
  )
}

/** Days counted from the first one, evenly spread. */
function ticksOf(span: number, room: number): number[] {
  const steps = Math.max(1, Math.min(TICKS - 1, span, Math.floor(room / TICK_WIDTH)))
  return [...new Set(Array.from({ length: steps + 1 }, (_, index) => Math.round((index * span) / steps)))]
}
