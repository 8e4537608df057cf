import type { PdfTable } from '#server/pdf/pdf-description.ts'
import { textWidth } from '#server/pdf/pdf-font.ts'

/** Maximum part of the width of a table for columns without a share, if there are others. */
const MAX = 0.8
/** Slack, because rounding must not break a text that fits. */
const SLACK = 0.5

/** Columns without a share are as wide as their texts; the others divide the rest. All in points. */
export function columnWidths(
  { columns, rows }: Pick<PdfTable, 'columns' | 'rows'>,
  available: number,
  fontSize: number,
): number[] {
  const shares = columns.reduce((total, { share = 0 }) => total + share, 0)
  const wanted = columns.map(({ share, title }, index) => {
    if (share !== undefined) return 0
    // Titles go on in the next line between words.
    const texts = title.split(' ').map((word) => textWidth(word, fontSize, true))
    for (const { cells, role, span = 1 } of rows)
      if (index > 0 || span === 1) texts.push(textWidth(cells[index] ?? '', fontSize, role === 'total'))
    return texts.reduce((one, other) => Math.max(one, other)) + SLACK
  })
  const most = shares > 0 ? available * MAX : available
  const limit = limitOf(wanted, most)
  const whole = wanted.map((width) => Math.min(width, limit))
  const rest = available - whole.reduce((total, width) => total + width, 0)
  return columns.map(({ share }, index) => (share === undefined ? (whole[index] ?? 0) : (rest * share) / shares))
}

/** The width to which the widest columns must be cut so that all of them take no more than `most`. */
function limitOf(widths: readonly number[], most: number): number {
  let left = most
  const ascending = widths.toSorted((one, other) => one - other)
  for (const [index, width] of ascending.entries()) {
    const limit = left / (ascending.length - index)
    if (width > limit) return limit
    left -= width
  }
  return Number.POSITIVE_INFINITY
}
