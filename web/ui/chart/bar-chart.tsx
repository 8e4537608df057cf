import { countText } from '#web/lib/format.ts'
import { brokenLabel, type ChartPoint, cutLabel, pointText, SO_FAR } from '#web/ui/chart/chart-point.ts'
import { Plot, usePlotWidth } from '#web/ui/chart/plot.tsx'
import classes from './plot.module.css'

const HEIGHT = 150
const AXIS_WIDTH = 56
const RIGHT = 10
/** The tooltip is above the bars. */
const TOP = 36
/** Width of a digit in a value, in pixels. */
const DIGIT_WIDTH = 6.5
const GAP = 6
const LINE_HEIGHT = 14
const WIDEST_BAR = 36
/** The part of a point's width that its bars fill. */
const FILLED = 0.8
/** Height of the legend with two series, which is above the bars. */
const LEGEND_HEIGHT = 24

type Props = {
  points: readonly ChartPoint[]
  series: string
  /** Draws the limits as bars under this name. */
  limitSeries?: string | undefined
  valueText(value: number): string
}

/** A bar chart of one series, or of values next to their limits. */
export function BarChart({ points, series, limitSeries, valueText }: Props) {
  const { ref, width: page } = usePlotWidth()
  const width = page && Math.max(page, minWidth(points))
  const room = (width - AXIS_WIDTH - RIGHT) / points.length
  const { labels, isUpright } = axisLabels(points, room)
  const axisHeight = isUpright
    ? longestOf(labels) + LINE_HEIGHT
    : (Math.max(...labels.map(({ length }) => length)) + 0.5) * LINE_HEIGHT
  const places = points.map((_, index) => AXIS_WIDTH + room * (index + 0.5))
  const barWidth = Math.min(WIDEST_BAR, (room * FILLED) / (limitSeries ? 2 : 1))
  const hasValues = hasRoomForValues(points, room)
  return (
    <Plot
      ref={ref}
      width={width}
      height={HEIGHT}
      margin={{ top: TOP + (limitSeries ? LEGEND_HEIGHT : 0), right: RIGHT, bottom: axisHeight, left: AXIS_WIDTH }}
      points={points}
      hasLimitLine={!limitSeries}
      places={places}
      tooltipOf={(place) => tooltipOf(points[place], valueText, limitSeries !== undefined)}
    >
      {({ bottom, ground, yOf }, pointed) => (
        <>
          {limitSeries && <Legend names={[limitSeries, series]} right={width - RIGHT} />}
          {points.map((point, index) => {
            const middle = places[index] ?? 0
            const left = middle - (limitSeries ? barWidth : barWidth / 2)
            const top = yOf(Math.max(0, point.value))
            return (
              <g key={point.label}>
                {index === pointed && (
                  <rect
                    className={classes.pointed}
                    x={middle - room / 2}
                    y={bottom - HEIGHT}
                    width={room}
                    height={HEIGHT}
                  />
                )}
                {limitSeries && (
                  <Column
                    className={classes.limitBar}
                    left={left}
                    width={barWidth}
                    from={ground}
                    to={yOf(point.limit ?? 0)}
                  />
                )}
                <Column
                  className={classes.bar}
                  isSoFar={point.isSoFar}
                  left={left + (limitSeries ? barWidth : 0)}
                  width={barWidth}
                  from={ground}
                  to={yOf(point.value)}
                />
                {hasValues && (
                  <text
                    className={classes.value}
                    x={left + barWidth * (limitSeries ? 1.5 : 0.5)}
                    y={top - 5}
                    textAnchor="middle"
                  >
                    {countText(point.value)}
                  </text>
                )}
                <Label x={middle} y={bottom} point={point} lines={labels[index] ?? []} isUpright={isUpright} />
              </g>
            )
          })}
        </>
      )}
    </Plot>
  )
}

function tooltipOf(point: ChartPoint | undefined, valueText: Props['valueText'], isBesideLimit: boolean): string {
  if (!point) return ''
  const value = `${pointText(point)}: ${valueText(point.value)}`
  return isBesideLimit ? `${value} of ${valueText(point.limit ?? 0)}` : value
}

type ColumnProps = {
  className: string | undefined
  isSoFar?: boolean | undefined
  left: number
  width: number
  from: number
  to: number
}

/** A bar from zero up to a value, or down to a negative one. */
function Column({ className, isSoFar, left, width, from, to }: ColumnProps) {
  return (
    <rect
      className={className}
      data-so-far={isSoFar || undefined}
      x={left}
      y={Math.min(from, to)}
      width={width}
      height={Math.abs(from - to)}
    />
  )
}

/** The names of both series, at the right above the bars. */
function Legend({ names: [limit, value], right }: { names: readonly [string, string]; right: number }) {
  const valueAt = right - widthOf(value)
  const limitAt = valueAt - 32 - widthOf(limit)
  const y = TOP + 10
  return (
    <>
      <rect className={classes.limitBar} x={limitAt - 16} y={y - 10} width={10} height={10} />
      <text className={classes.label} x={limitAt} y={y}>
        {limit}
      </text>
      <rect className={classes.bar} x={valueAt - 16} y={y - 10} width={10} height={10} />
      <text className={classes.label} x={valueAt} y={y}>
        {value}
      </text>
    </>
  )
}

const ruler = document.createElement('canvas').getContext('2d')

/** Width of a label in the font of the page, in pixels. */
function widthOf(label: string): number {
  if (!ruler) return label.length * DIGIT_WIDTH
  ruler.font = `12px ${getComputedStyle(document.body).fontFamily}`
  return ruler.measureText(label).width
}

/** Below this width the chart scrolls sideways. */
const minWidth = (points: readonly ChartPoint[]) => AXIS_WIDTH + RIGHT + points.length * LINE_HEIGHT

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
  const longest = Math.max(...points.map(({ value }) => countText(value).length))
  return longest * DIGIT_WIDTH + GAP <= room
}
