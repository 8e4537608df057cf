import { expect, test } from 'vitest'
import { columnWidths, isWiderThan, stickyColumns } from '#web/ui/grid/model/column-widths.ts'

const COLUMNS = [
  { id: 'A', width: 100 },
  { id: 'B', width: 200 },
  { id: 'C', width: 100 },
]
const untouched = { hidden: [], widths: {} }

test.each([
  ['in too little room every column keeps its width', untouched, 300, { A: 100, B: 200, C: 100 }],
  ['room to spare is shared by width', untouched, 800, { A: 200, B: 400, C: 200 }],
  ['a hidden column takes no room', { ...untouched, hidden: ['B'] }, 400, { A: 200, C: 200 }],
  ['a width that was set stays', { ...untouched, widths: { A: 300 } }, 900, { A: 300, B: 400, C: 200 }],
  ['without a column to stretch, room stays empty', { hidden: ['B', 'C'], widths: { A: 50 } }, 900, { A: 50 }],
])('%s', (_, view, available, expected) => {
  expect(columnWidths(COLUMNS, view, available)).toEqual(expected)
})

test('a column stays in sight only where it leaves room for the others', () => {
  const columns = [{ id: 'A', isSticky: true }, { id: 'B' }]
  expect(stickyColumns(columns, 640)).toEqual(['A'])
  expect(stickyColumns(columns, 639)).toEqual([])
})

test('columns are scrolled only where they do not fit', () => {
  expect(isWiderThan(399, COLUMNS, untouched)).toBe(true)
  expect(isWiderThan(400, COLUMNS, untouched)).toBe(false)
  expect(isWiderThan(803, COLUMNS, untouched)).toBe(false)
  expect(isWiderThan(803, COLUMNS, { hidden: [], widths: { A: 700 } })).toBe(true)
})
