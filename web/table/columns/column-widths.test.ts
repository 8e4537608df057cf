import { expect, test } from 'vitest'
import { canPin, columnWidths, minWidthOf } from '#web/table/columns/column-widths.ts'

const COLUMNS = [
  { id: 'A', width: 100 },
  { id: 'B', width: 200, flexible: { min: 150 } },
  { id: 'C', width: 100, kind: 'number' },
] as const
const untouched = { hidden: [], widths: {} }

test.each([
  ['with too little room the flexible column shrinks to its minimum', untouched, 300, { A: 100, B: 150, C: 100 }],
  ['the flexible column takes the room that is left', untouched, 500, { A: 100, B: 300, C: 100 }],
  ['a hidden column takes no room', { ...untouched, hidden: ['A'] }, 400, { B: 300, C: 100 }],
  ['a width that was set stays', { ...untouched, widths: { B: 90 } }, 900, { A: 100, B: 90, C: 100 }],
  ['before the room is known, columns have their own width', untouched, 0, { A: 100, B: 200, C: 100 }],
])('columns share the room: %s', (_, view, available, expected) => {
  expect(columnWidths(COLUMNS, view, available)).toEqual(expected)
})

test('number columns are as wide as their content, even when they were made narrower', () => {
  const content = { A: 300, C: 130 }
  expect(columnWidths(COLUMNS, untouched, 0, content)).toMatchObject({ A: 100, C: 130 })
  expect(columnWidths(COLUMNS, { ...untouched, widths: { A: 70, C: 70 } }, 0, content)).toMatchObject({ A: 70, C: 130 })
  expect(minWidthOf(COLUMNS[2], content)).toBe(130)
})

test('columns are pinned only where they leave room for the others', () => {
  expect(canPin(640)).toBe(true)
  expect(canPin(639)).toBe(false)
})
