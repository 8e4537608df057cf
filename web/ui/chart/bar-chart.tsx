import '@mantine/charts/styles.layer.css'
import { BarChart as MantineBarChart } from '@mantine/charts'
import { useElementSize } from '@mantine/hooks'
import { Rectangle, type RectangleProps, type XAxisTickContentProps } from 'recharts'
import { countText } from '#web/lib/format.ts'
import { brokenLabel, type ChartPoint, cutLabel, pointText, SO_FAR } from '#web/ui/chart/chart-point.ts'
import { limitLine } from '#web/ui/chart/limit-line.ts'
import classes from './chart-card.module.css'

const PLOT_HEIGHT = 150
const AXIS_WIDTH = 56
/** The tooltip is above the bars. */
const MARGIN = { top: 36, right: 10, bottom: 0, left: 0 }
/** Of a digit in a value, in pixels. */
const DIGIT_WIDTH = 6.5
const GAP = 6
const LINE_HEIGHT = 14
/** Of the names of two series, which are above the bars. */
const LEGEND_HEIGHT = 44

type Props = {
  points: readonly ChartPoint[]
  series: string
  /** Draws the limits as bars under this name. */
  limitSeries?: string | undefined
  valueText(value: number): string
}

/** A bar chart of one series, or of values beside their limits. Loaded on demand, because the chart library is large. */
export function BarChart({ points, series, limitSeries, valueText }: Props) {
  const { ref, width } = useElementSize()
  const room = (Math.max(width, minWidth(points)) - AXIS_WIDTH - MARGIN.right) / points.length
  const { labels, isUpright } = axisLabels(points, room)
  const axisHeight = isUpright
    ? longestOf(labels) + LINE_HEIGHT
    : (Math.max(...labels.map(({ length }) => length)) + 0.5) * LINE_HEIGHT
  return (
    <div ref={ref} className={classes.plot}>
      <MantineBarChart
        h={MARGIN.top + (limitSeries ? LEGEND_HEIGHT : 0) + PLOT_HEIGHT + axisHeight}
        miw={minWidth(points)}
        data={[...points]}
        dataKey="label"
        series={[
          ...(limitSeries ? [{ name: 'limit', label: limitSeries, color: 'var(--portal-edge)' }] : []),
          { name: 'value', label: series, color: 'var(--portal-focus)' },
        ]}
        withLegend={limitSeries !== undefined}
        valueFormatter={countText}
        tickLine="none"
        {...(limitSeries ? {} : limitLine(points))}
        maxBarWidth={36}
        barProps={({ name }) => ({ shape: name === 'limit' ? LimitBar : Bar, isAnimationActive: false })}
        barChartProps={{ accessibilityLayer: false, margin: MARGIN }}
        withBarValueLabel={hasRoomForValues(points, room)}
        valueLabelProps={{ fontSize: 12 }}
        xAxisProps={{
          interval: 0,
          height: axisHeight,
          tick: (tick) => <Tick {...tick} {...{ points, labels, isUpright }} />,
        }}
        // Every label at its line: otherwise the library moves the topmost one down.
        yAxisProps={{ width: AXIS_WIDTH, interval: 0 }}
        tooltipProps={{
          position: { y: 0 },
          content: ({ active, label }) => {
            const point = active && points.find((one) => one.label === label)
            return point ? (
              <div className={classes.tooltip}>
                {pointText(point)}: {valueText(point.value)}
                {limitSeries && ` of ${valueText(point.limit ?? 0)}`}
              </div>
            ) : null
          },
        }}
      />
    </div>
  )
}

const ruler = document.createElement('canvas').getContext('2d')

/** Of a label in the font of the page, in pixels. */
function widthOf(label: string): number {
  if (!ruler) return label.length * DIGIT_WIDTH
  ruler.font = `12px ${getComputedStyle(document.body).fontFamily}`
  return ruler.measureText(label).width
}

/** Below this width the chart scrolls sideways. */
const minWidth = (points: readonly ChartPoint[]) => AXIS_WIDTH + MARGIN.right + points.length * LINE_HEIGHT

/** A bar that still grows is paler. */
function Bar(props: RectangleProps & { payload?: ChartPoint }) {
  return <Rectangle {...props} fillOpacity={props.payload?.isSoFar ? 0.5 : 1} />
}

/** Pale, so that the values stand out, with an edge that can be seen on every background. */
function LimitBar(props: RectangleProps) {
  return <Rectangle {...props} stroke="var(--mantine-color-dimmed)" strokeOpacity={1} strokeWidth={1} />
}

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

type TickProps = XAxisTickContentProps & {
  points: readonly ChartPoint[]
  labels: readonly (readonly string[])[]
  isUpright: boolean
}

function Tick({ x, y, index, points, labels, isUpright }: TickProps) {
  const point = points[index]
  const lines = labels[index]
  if (!point || !lines) return null
  // Upright lines have the bar in their middle, level ones are below it.
  const top = isUpright ? 4 - ((lines.length - 1) * LINE_HEIGHT) / 2 : 8
  return (
    <text
      className={classes.tick}
      textAnchor={isUpright ? 'end' : 'middle'}
      transform={`translate(${x}, ${y})${isUpright ? ' rotate(-90)' : ''}`}
    >
      {lines.map((line, place) => {
        const below = top + place * LINE_HEIGHT
        return (
          <tspan key={below} x={0} y={below}>
            {line}
          </tspan>
        )
      })}
      {/* What is cut can be read where the pointer is, and in the table. */}
      {lines.join(' ') !== pointText(point) && <title>{pointText(point)}</title>}
    </text>
  )
}

/** Values that run into each other say less than none: the table has them all. */
function hasRoomForValues(points: readonly ChartPoint[], room: number): boolean {
  const longest = Math.max(...points.map(({ value }) => countText(value).length))
  return longest * DIGIT_WIDTH + GAP <= room
}
