import type { Column } from '#web/table/columns/column.ts'

type Drawn = { readonly id: string; readonly column: Pick<Column<never>, 'kind'> | undefined }

/** The font size of cells on paper to that on the screen. */
const SCALE = 9 / 13
/** In pixels, of a sheet of A4 or Letter within its margins. */
const PAPER = 690
const MIN_TEXT = 48

/**
 * The columns of a printed table. Numbers, dates and ids have the room that they need, and texts share the rest. In a table
 * too wide for that, everything shrinks.
 */
export function printColumns(drawn: readonly Drawn[], widthOf: (id: string) => number): string {
  const columns = drawn.map(({ id, column }) => ({ width: widthOf(id), fixed: fixedWidth(widthOf(id), column?.kind) }))
  const isFitting = columns.reduce((sum, { fixed = MIN_TEXT }) => sum + fixed, 0) <= PAPER
  return columns
    .map(({ width, fixed }) => (isFitting && fixed !== undefined ? `${fixed}px` : `minmax(0, ${width}fr)`))
    .join(' ')
}

function fixedWidth(width: number, kind: Column<never>['kind']): number | undefined {
  if (kind === 'number' || kind === 'date') return Math.round(width * SCALE)
  // On the screen an id is cut. Here it takes two lines of the same width.
  return kind === 'id' ? width : undefined
}
