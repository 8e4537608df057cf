import classes from './home.module.css'

const HEIGHT = 28
/** A line through single days would only show the weekends. */
const WEEK = 7

/** The course of a number day by day, smoothed over a week. It decorates a figure that says the same in words. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const smooth = values
    .slice(WEEK - 1)
    .map((_, at) => values.slice(at, at + WEEK).reduce((sum, one) => sum + one, 0) / WEEK)
  const top = Math.max(...smooth)
  if (top <= 0) return null
  const points = smooth.map((value, at) => `${at},${((1 - value / top) * (HEIGHT - 2) + 1).toFixed(1)}`)
  return (
    <svg
      className={classes.sparkline}
      viewBox={`0 0 ${smooth.length - 1} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
