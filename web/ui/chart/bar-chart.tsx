import { brokenLabel, cutLabel, tickText } from '#web/ui/chart/axis-label.ts'
import { type ChartPoint, pointText, SO_FAR } from '#web/ui/chart/chart-series.ts'
import { CHARACTER_WIDTH, LEFT, Plot, type PlotProps, RIGHT, usePlotWidth, widthOf } from '#web/ui/chart/plot.tsx'
import classes from './plot.module.css'

const GAP = 6
const LINE_HEIGHT = 14
const WIDEST_BAR = 36
/** The part of a point's width that its bars fill. */
const FILLED = 0.8

/** Every point has its own place and label, with the bars of its series side by side, or one step of a line. */
export function BarChart(props: PlotProps) {
  const { ref, width: page } = usePlotWidth()
  const { series, points } = props.data
  const width = page && Math.max(page, minWidth(points))
  const room = (width - LEFT - RIGHT) / points.length
  const { labels, isUpright } = axisLabels(points, room)
  const axisHeight = isUpright
    ? longestOf(labels) + LINE_HEIGHT
    : (Math.max(...labels.map(({ length }) => length)) + 0.5) * LINE_HEIGHT
  const places = points.map((_, index) => LEFT + room * (index + 0.5))
  const bars = series.filter(({ look }) => look !== 'limit' && look !== 'steps')
  const barWidth = Math.min(WIDEST_BAR, (room * FILLED) / bars.length)
  const hasValues = hasRoomForValues(points, room)
  /** A line over all points that have a value, each as wide as its place. */
  const stepsOf = (at: number, yOf: (value: number) => number) => {
    const steps = points.flatMap(({ values }, index) => {
      const value = values[at] ?? null
      return value === null ? [] : [`${LEFT + room * index} ${yOf(value)}H${LEFT + room * (index + 1)}`]
    })
    return steps.length === 0 ? '' : `M${steps.join('L')}`
  }
  return (
    <Plot {...props} ref={ref} width={width} axisHeight={axisHeight} places={places}>
      {({ top, bottom, ground, yOf }, pointed) => [
        ...points.map((point, index) => {
          const middle = places[index] ?? 0
          const left = middle - (barWidth * bars.length) / 2
          return (
            <g key={point.label}>
              {index === pointed && (
                <rect className={classes.pointed} x={middle - room / 2} y={top} width={room} height={bottom - top} />
              )}
              {bars.map((one, at) => {
                const value = point.values[series.indexOf(one)] ?? 0
                const isGray = one.look === 'gray bars'
                const x = left + barWidth * at
                return (
                  <g key={one.name}>
                    <rect
                      className={isGray ? classes.grayBar : classes.bar}
                      data-so-far={point.isSoFar || undefined}
                      x={x}
                      y={Math.min(ground, yOf(value))}
                      width={barWidth}
                      height={Math.abs(ground - yOf(value))}
                    />
                    {hasValues && !isGray && (
                      <text
                        className={classes.value}
                        x={x + barWidth / 2}
                        y={yOf(Math.max(0, value)) - 5}
                        textAnchor="middle"
                      >
                        {tickText(value)}
                      </text>
                    )}
                  </g>
                )
              })}
              <Label x={middle} y={bottom} point={point} lines={labels[index] ?? []} isUpright={isUpright} />
            </g>
          )
        }),
        ...series.map(({ name, look }, at) => {
          const line = stepsOf(at, yOf)
          if (look === 'limit') return <path key={name} className={classes.limit} d={line} />
          if (look !== 'steps' || line === '') return null
          return (
            <g key={name}>
              <path className={classes.area} d={`${line}V${ground}H${LEFT}Z`} />
              <path className={classes.steps} d={line} strokeWidth={2} />
            </g>
          )
        }),
      ]}
    </Plot>
  )
}

/** Below this width the chart scrolls sideways. */
const minWidth = (points: readonly ChartPoint[]) => LEFT + RIGHT + points.length * LINE_HEIGHT

/** The lines of every label. Labels that have no room side by side, in one line or two, stand upright: every bar has its own. */
function axisLabels(points: readonly ChartPoint[], room: number) {
  const soFar = ({ isSoFar }: ChartPoint) => (isSoFar ? [SO_FAR] : [])
  const inOne = points.map((point) => [point.label, ...soFar(point)])
  if (longestOf(inOne) + GAP <= room) return { labels: inOne, isUpright: false }
  const inTwo = points.map((point) => [...brokenLabel(point.label), ...soFar(point)])
  if (longestOf(inTwo) + GAP <= room) return { labels: inTwo, isUpright: false }
  const hasRoomForTwo = 2 * LINE_HEIGHT <= room
  const upright = points
    .map(pointText)
    .map((text) => (hasRoomForTwo && cutLabel(text) !== text ? brokenLabel(text) : [text]))
  return { labels: upright.map((lines) => lines.map(cutLabel)), isUpright: true }
}

const longestOf = (labels: readonly (readonly string[])[]) => Math.max(...labels.flat().map(widthOf))

type LabelProps = { x: number; y: number; point: ChartPoint; lines: readonly string[]; isUpright: boolean }

function Label({ x, y, point, lines, isUpright }: LabelProps) {
  // Upright lines have the bar in their middle, level ones are below it.
  const top = isUpright ? 4 - ((lines.length - 1) * LINE_HEIGHT) / 2 : 16
  return (
    <text
      className={classes.label}
      textAnchor={isUpright ? 'end' : 'middle'}
      transform={`translate(${x}, ${y + (isUpright ? 8 : 0)})${isUpright ? ' rotate(-90)' : ''}`}
    >
      {lines.map((line, place) => {
        const below = top + place * LINE_HEIGHT
        return (
          <tspan key={below} x={0} y={below}>
            {line}
          </tspan>
        )
      })}
      {/* Labels that are cut can be read in the tooltip and in the table. */}
      {lines.join(' ') !== pointText(point) && <title>{pointText(point)}</title>}
    </text>
  )
}

/** Overlapping values are not drawn: the table has them all. */
function hasRoomForValues(points: readonly ChartPoint[], room: number): boolean {
  const longest = Math.max(...points.flatMap(({ values }) => values.map((value) => tickText(value ?? 0).length)))
  return longest * CHARACTER_WIDTH + GAP <= room
}
