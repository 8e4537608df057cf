import { VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, type Ref, useId, useState } from 'react'
import { type ChartData, pointAfterKey, readingOf, summaryOf } from '#web/ui/chart/chart-series.ts'
import classes from './plot.module.css'

type Props = {
  ref?: Ref<HTMLDivElement>
  /** The name of the chart for screen readers. */
  label: string
  data: ChartData
  className?: string | undefined
  /** Where the points are from left to right, if the picture may be wider than its box. */
  places?: readonly number[]
  children(pointed: number | undefined, point: (at: number | undefined) => void): ReactNode
}

/** Around a picture: arrow keys go from point to point, and each is read out. */
export function ChartReading({ ref, label, data, className, places, children }: Props) {
  const summaryId = useId()
  const [pointed, setPointed] = useState<{ at: number; isRead: boolean }>()
  const at = pointed && pointed.at < data.points.length ? pointed.at : undefined
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const { key, currentTarget, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey) return
    const next = pointAfterKey(key, at, data.points.length)
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (next === null) return currentTarget.blur()
    setPointed({ at: next, isRead: true })
    if (places) currentTarget.scrollLeft = (places[next] ?? 0) - currentTarget.clientWidth / 2
  }
  return (
    // The role makes screen readers leave the arrow keys to the chart.
    <div
      ref={ref}
      role="application"
      aria-roledescription="chart"
      aria-label={label}
      aria-describedby={summaryId}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys work on it.
      tabIndex={0}
      className={[classes.reading, className].filter(Boolean).join(' ')}
      onKeyDown={press}
      onBlur={() => setPointed(undefined)}
    >
      {children(at, (next) => setPointed(next === undefined ? undefined : { at: next, isRead: false }))}
      <VisuallyHidden id={summaryId}>{summaryOf(data)} Press the arrow keys to read the values.</VisuallyHidden>
      <VisuallyHidden role="status">{pointed?.isRead && at !== undefined ? readingOf(data, at) : ''}</VisuallyHidden>
    </div>
  )
}
