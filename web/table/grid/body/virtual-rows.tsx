import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { EngineRow } from '#web/table/engine.ts'
import type { RowScroller } from '#web/table/grid/body/row-scroller.ts'
import classes from '#web/table/grid/grid.module.css'

const OVERSCAN = 10

type Props<Row> = {
  rows: readonly EngineRow<Row>[]
  rowHeight: number
  draw(row: EngineRow<Row>, index: number): ReactNode
  scroller: RefObject<RowScroller | null>
  /** Whether something can be unfolded below a row: only then are rows of different height, and measured. */
  canUnfold: boolean
  /** The row with the focus stays drawn, wherever the window is scrolled to. */
  focusedIndex(): number
}

/** Draws the rows that the window shows and a few around them; the document is as tall as if all were drawn. */
export function VirtualRows<Row>({ rows, rowHeight, draw, scroller, canUnfold, focusedIndex }: Props<Row>) {
  const container = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin: margin,
    scrollPaddingStart: 140,
    scrollPaddingEnd: 80,
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range)
      const focused = focusedIndex()
      return focused < 0 || focused >= rows.length || indexes.includes(focused)
        ? indexes
        : [...indexes, focused].sort((one, other) => one - other)
    },
  })
  useImperativeHandle(scroller, () => ({ scrollToRow: (index) => virtualizer.scrollToIndex(index) }), [virtualizer])
  useLayoutEffect(() => {
    const measure = () => {
      if (container.current) setMargin(Math.round(container.current.getBoundingClientRect().top + window.scrollY))
    }
    // Content above the rows may grow: a panel, another table.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    measure()
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  return (
    <div ref={container} className={classes.virtual} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const row = rows[index]
        return (
          row && (
            <div
              key={key}
              ref={canUnfold ? virtualizer.measureElement : undefined}
              data-index={index}
              className={classes.virtualRow}
              style={{ transform: `translateY(${start - margin}px)` }}
            >
              {draw(row, index)}
            </div>
          )
        )
      })}
    </div>
  )
}
