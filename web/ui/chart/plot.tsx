import { type PointerEvent, type ReactNode, type Ref, useCallback, useState } from 'react'
import { axisTicks } from '#domain/chart/value-axis.ts'
import { countText } from '#web/lib/format.ts'
import type { ChartPoint } from '#web/ui/chart/chart-point.ts'
import classes from './plot.module.css'

/** The area in which values are drawn, in pixels of the drawing. */
type Area = {
  readonly bottom: number
  /** The position of zero, on which bars stand. */
  readonly ground: number
  yOf(value: number): number
}

type Props = {
  /** A box with the width of the page; a wider drawing scrolls sideways in it. */
  ref: Ref<HTMLDivElement>
  width: number
  /** Height of the area with the values. */
  height: number
  /** Space for the tooltip above the values, and for the labels of the axes. */
  margin: { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number }
  points: readonly ChartPoint[]
  /** Draws the highest limit of the points as a line. */
  hasLimitLine: boolean
  /** The middle of every place that can be pointed at. */
  places: readonly number[]
  tooltipOf(place: number): string
  children(area: Area, pointed: number | undefined): ReactNode
}

/** A drawing with values on an axis at its left, and a text above the place that is pointed at. */
export function Plot({ ref, width, height, margin, points, hasLimitLine, places, tooltipOf, children }: Props) {
  const [pointed, setPointed] = useState<number>()
  const limits = points.flatMap(({ limit }) => limit ?? [])
  const ticks = axisTicks([...points.map(({ value }) => value), ...limits])
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const yOf = (value: number) => margin.top + (height * (high - value)) / (high - low)
  const right = width - margin.right
  const limit = hasLimitLine && limits.length > 0 ? Math.max(...limits) : undefined
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left
    setPointed(nearest(places, x))
  }
  const place = pointed === undefined ? undefined : places[pointed]
  return (
    <div ref={ref} className={classes.plot}>
      {/* Before the width is known, nothing is drawn. */}
      {width > 0 && (
        <div className={classes.drawing} style={{ width }}>
          <svg
            width={width}
            height={margin.top + height + margin.bottom}
            aria-hidden
            onPointerMove={point}
            onPointerLeave={() => setPointed(undefined)}
          >
            {ticks.map((tick) => (
              <g key={tick}>
                <line className={classes.grid} x1={margin.left} x2={right} y1={yOf(tick)} y2={yOf(tick)} />
                <text className={classes.label} x={margin.left - 8} y={yOf(tick) + 4} textAnchor="end">
                  {countText(tick)}
                </text>
              </g>
            ))}
            {children({ bottom: margin.top + height, ground: yOf(0), yOf }, pointed)}
            {limit !== undefined && (
              <g className={classes.limit}>
                <line x1={margin.left} x2={right} y1={yOf(limit)} y2={yOf(limit)} />
                <text x={right} y={yOf(limit) - 5} textAnchor="end">
                  Limit {countText(limit)}
                </text>
              </g>
            )}
          </svg>
          {pointed !== undefined && place !== undefined && (
            <div className={classes.tooltip} style={place < width / 2 ? { left: place } : { right: width - place }}>
              {tooltipOf(pointed)}
            </div>
          )}
        </div>
      )}
    </div>
  )
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
