import { useState } from 'react'
import { type Column, isNeverCut } from '#web/table/columns/column.ts'
import type { ContentWidths } from '#web/table/columns/column-widths.ts'
import type { Totals } from '#web/table/grid/body/totals-row.tsx'

/** The padding of a cell on both sides with some pixels for rounding. */
const PADDING = 18
/** Totals are in bold. */
const BOLD = 1.08

/** How wide number and date columns have to be for what they show. They grow with the rows and do not shrink again. */
export function useContentWidths<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[] | undefined,
  { totals = [] }: { totals?: readonly Totals[] },
): ContentWidths {
  const [measured, setMeasured] = useState({
    rows: undefined as readonly Row[] | undefined,
    totals: '',
    widths: {} as ContentWidths,
  })
  const totalsOf = (column: Column<Row>) => totals.map((one) => textOf(one[column.id]))
  const all = columns.map((column) => totalsOf(column).join()).join()
  if (!rows || (measured.rows === rows && measured.totals === all)) return measured.widths
  const widths = { ...measured.widths }
  let hasGrown = false
  for (const column of columns) {
    if (!isNeverCut(column)) continue
    const ofRows = column.cell ? 0 : widestOf(rows.map((row) => column.text(row)))
    const ofTotals = widestOf(totalsOf(column)) * BOLD
    const content = Math.max(ofRows, ofTotals)
    const needed = Math.ceil(content) + PADDING
    if (content > 0 && needed > (widths[column.id] ?? 0)) {
      widths[column.id] = needed
      hasGrown = true
    }
  }
  const next = hasGrown ? widths : measured.widths
  setMeasured({ rows, totals: all, widths: next })
  return next
}

/** The widest text is not always the one with the most characters: a date is wider than words of the same length. */
function widestOf(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(figuresWidth))
}

const textOf = (total: unknown): string => (['string', 'number'].includes(typeof total) ? String(total) : '')

const widths = new Map<string, number>()
const REPEATS = 10

/** How wide text in tabular figures is. Each character is measured once: figures and dates have few different ones. */
function figuresWidth(text: string): number {
  const unknown = [...new Set(text)].filter((character) => !widths.has(character))
  if (unknown.length > 0) measure(unknown)
  return [...text].reduce((sum, character) => sum + (widths.get(character) ?? 0), 0)
}

function measure(characters: readonly string[]): void {
  const probes = characters.map((character) => {
    const probe = document.createElement('span')
    probe.style.cssText =
      'position: absolute; visibility: hidden; white-space: pre; font-size: 13px; font-variant-numeric: tabular-nums'
    probe.textContent = character.repeat(REPEATS)
    return probe
  })
  document.body.append(...probes)
  for (const [index, probe] of probes.entries())
    widths.set(characters[index] ?? '', probe.getBoundingClientRect().width / REPEATS)
  for (const probe of probes) probe.remove()
}
