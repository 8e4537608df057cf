import { useState } from 'react'
import { type Column, isNeverCut } from '#web/table/columns/column.ts'
import type { ContentWidths } from '#web/table/columns/column-widths.ts'
import { figuresWidth } from '#web/table/grid/figures-width.ts'

/** Both paddings of a cell, and what rounding takes. */
const PADDING = 24

/** How wide number and date columns have to be for what they show. They grow with the rows and do not shrink again. */
export function useContentWidths<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[] | undefined,
): ContentWidths {
  const [measured, setMeasured] = useState<{ rows: readonly Row[] | undefined; widths: ContentWidths }>({
    rows: undefined,
    widths: {},
  })
  if (!rows || measured.rows === rows) return measured.widths
  const widths = { ...measured.widths }
  let hasGrown = false
  for (const column of columns) {
    if (!isNeverCut(column) || column.cell) continue
    const longest = rows.reduce((long, row) => {
      const text = column.text(row)
      return text.length > long.length ? text : long
    }, '')
    const needed = Math.ceil(figuresWidth(longest)) + PADDING
    if (longest !== '' && needed > (widths[column.id] ?? 0)) {
      widths[column.id] = needed
      hasGrown = true
    }
  }
  const next = hasGrown ? widths : measured.widths
  setMeasured({ rows, widths: next })
  return next
}
