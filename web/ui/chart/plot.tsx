import { type PointerEvent, type ReactNode, type Ref, useCallback, useState } from 'react'
import { axisTicks } from '#domain/chart/value-axis.ts'
import { tickText } from '#web/ui/chart/axis-label.ts'
import { ChartReading } from '#web/ui/chart/chart-reading.tsx'
import { type ChartData, type ChartSeries, readingOf } from '#web/ui/chart/chart-series.ts'
import classes from './plot.module.css'

/** What every chart with axes is given. */
export type PlotProps = {
  /** The name of the chart, and what its picture shows. */
  label: string
  description: string
  data: ChartData
  /** Height of the picture. Labels that stand upright make it higher. */
  height: number
}

/** The area in which values are drawn, in pixels of the drawing. */
type Area = {
  readonly top: number
  readonly bottom: number
  /** The position of zero, on which bars stand. */
  readonly ground: number
  yOf(value: number): number
}

type Props = PlotProps & {
  /** A box with the width of the page; a wider drawing scrolls sideways in it. */
  ref: Ref<HTMLDivElement>
  width: number
  /** Space for the labels of the points. */
  axisHeight: number
  /** The middle of every point. */
  places: readonly number[]
  children(area: Area, pointed: number | undefined): ReactNode
}

/** Upright labels leave the values at least this height. */
const MIN_VALUES = 96
/** The tooltip is above the values, and covers the legend while it is shown: it names the series as well. */
const TOP = 36
/** Space for the labels of the values, and at the right for half of the last label below the axis. */
export const LEFT = 60
export const RIGHT = 36

/** A drawing with values on an axis at its left, and a text above the point that is pointed at. */
export function Plot({ ref, label, description, data, width, height: whole, axisHeight, places, children }: Props) {
  const { series, points } = data
  const ticks = axisTicks(points.flatMap(({ values }) => values.filter((value) => value !== null)))
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const height = Math.max(MIN_VALUES, whole - TOP - axisHeight)
  const yOf = (value: number) => TOP + (height * (high - value)) / (high - low)
  const right = width - RIGHT
  return (
    <ChartReading ref={ref} label={label} data={data} className={classes.plot} places={places}>
      {(pointed, point) => {
        const place = pointed === undefined ? undefined : places[pointed]
        // Before the width is known, nothing is drawn.
        return (
          width > 0 && (
            <div className={classes.drawing} style={{ width }}>
              <svg
                role="img"
                aria-label={description}
                width={width}
                height={TOP + height + axisHeight}
                onPointerMove={({ clientX, currentTarget }: PointerEvent) =>
                  point(nearest(places, clientX - currentTarget.getBoundingClientRect().left))
                }
                onPointerLeave={() => point(undefined)}
              >
                {ticks.map((tick) => (
                  <g key={tick}>
                    <line className={classes.grid} x1={LEFT} x2={right} y1={yOf(tick)} y2={yOf(tick)} />
                    <text className={classes.label} x={LEFT - 8} y={yOf(tick) + 4} textAnchor="end">
                      {tickText(tick)}
                    </text>
                  </g>
                ))}
                {series.length > 1 && <Legend series={series} right={right} />}
                {children({ top: TOP, bottom: TOP + height, ground: yOf(0), yOf }, pointed)}
              </svg>
              {pointed !== undefined && place !== undefined && (
                <div className={classes.tooltip} style={place < width / 2 ? { left: place } : { right: width - place }}>
                  {readingOf(data, pointed)}
                </div>
              )}
            </div>
          )
        )
      }}
    </ChartReading>
  )
}

const LOOKS: Readonly<Record<ChartSeries['look'], string | undefined>> = {
  bars: classes.bar,
  'gray bars': classes.grayBar,
  steps: classes.bar,
  limit: classes.limit,
  forecast: classes.forecast,
}

/** The names of the series with their looks, at the right above the values. */
function Legend({ series, right }: { series: readonly ChartSeries[]; right: number }) {
  const y = TOP - 16
  let end = right
  return series.toReversed().map(({ name, look }) => {
    const x = end - widthOf(name)
    end = x - 40
    return (
      <g key={name}>
        {look === 'limit' || look === 'forecast' ? (
          <path className={LOOKS[look]} d={`M${x - 24} ${y - 4}h18`} />
        ) : (
          <rect className={LOOKS[look]} x={x - 16} y={y - 10} width={10} height={10} />
        )}
        <text className={classes.label} x={x} y={y}>
          {name}
        </text>
      </g>
    )
  })
}

/** Width of a character, in pixels. */
export const CHARACTER_WIDTH = 6.5

const ruler = document.createElement('canvas').getContext('2d')

/** Width of a label in the font of the page, in pixels. */
export function widthOf(label: string): number {
  if (!ruler) return label.length * CHARACTER_WIDTH
  ruler.font = `12px ${getComputedStyle(document.body).fontFamily}`
  return ruler.measureText(label).width
}

function nearest(places: readonly number[], x: number): number | undefined {
  const distances = places.map((place) => Math.abs(place - x))
  const at = distances.indexOf(Math.min(...distances))
  return at < 0 ? undefined : at
}

/** The available width of a plot. It is measured before the first paint, so that nothing below it moves. */
export function usePlotWidth() {
  const [width, setWidth] = useState(0)
  const ref = useCallback((plot: HTMLDivElement | null) => {
    if (!plot) return
    const measure = () => setWidth(plot.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(plot)
    measure()
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
