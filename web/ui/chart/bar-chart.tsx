import '@mantine/charts/styles.layer.css'
import { BarChart as MantineBarChart } from '@mantine/charts'
import { useElementSize } from '@mantine/hooks'
import { Rectangle, type RectangleProps, type XAxisTickContentProps } from 'recharts'
import { countText } from '#web/lib/format.ts'
import { type ChartPoint, cutLabel, pointText, SO_FAR } from '#web/ui/chart/chart-point.ts'
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
  const longest = Math.max(...points.map(({ label }) => widthOf(cutLabel(label))))
  // Labels that have no room side by side stand upright: every bar has its own.
  const isUpright = longest + GAP > room
  const hasSoFar = points.some(({ isSoFar }) => isSoFar)
  const axisHeight = isUpright ? longest + (hasSoFar ? 52 : 14) : hasSoFar ? 2.5 * LINE_HEIGHT : 1.5 * LINE_HEIGHT
  return (
    <div ref={ref} className={classes.plot}>
      <MantineBarChart
        h={MARGIN.top + PLOT_HEIGHT + axisHeight}
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
        valueLabelProps={{ fontSize: 11 }}
        xAxisProps={{ interval: 0, height: axisHeight, tick: (tick) => <Tick {...tick} {...{ points, isUpright }} /> }}
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

type TickProps = XAxisTickContentProps & { points: readonly ChartPoint[]; isUpright: boolean }

function Tick({ x, y, index, points, isUpright }: TickProps) {
  const point = points[index]
  if (!point) return null
  if (isUpright)
    return (
      <text
        className={classes.tick}
        textAnchor="end"
        transform={`translate(${x}, ${Number(y)}) rotate(-90)`}
        dy="0.32em"
      >
        <Label text={pointText(point)} />
      </text>
    )
  return (
    <text className={classes.tick} textAnchor="middle" x={x} y={Number(y) + 8}>
      <tspan>
        <Label text={point.label} />
      </tspan>
      {point.isSoFar && (
        <tspan x={x} dy={LINE_HEIGHT}>
          {SO_FAR}
        </tspan>
      )}
    </text>
  )
}

/** What is cut can be read where the pointer is, and in the table. */
function Label({ text }: { text: string }) {
  const shown = cutLabel(text)
  return (
    <>
      {shown}
      {shown !== text && <title>{text}</title>}
    </>
  )
}

/** Values that run into each other say less than none: the table has them all. */
function hasRoomForValues(points: readonly ChartPoint[], room: number): boolean {
  const longest = Math.max(...points.map(({ value }) => countText(value).length))
  return longest * DIGIT_WIDTH + GAP <= room
}
