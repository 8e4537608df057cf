import { expect, test } from 'vitest'
import { haveNotesRoom, textStart } from '#web/ui/chart/mark-notes.ts'

const marks = (...places: [x: number, textWidth: number][]) => places.map(([x, textWidth]) => ({ x, textWidth }))

test.each([
  ['one in the middle', marks([100, 80]), true],
  ['two with room between them', marks([100, 80], [200, 80]), true],
  ['one over the line of the next', marks([100, 80], [150, 80]), false],
  ['the last one, left of its line', marks([100, 80], [390, 80]), true],
  ['the last one, over the one before it', marks([280, 80], [390, 80]), false],
  ['one that is wider than the picture', marks([200, 380]), false],
])('there is room for the texts of marks: %s', (_, places, expected) => {
  expect(haveNotesRoom(places, 400)).toBe(expected)
})

test('a text is on the side where it has room', () => {
  expect(textStart({ x: 100, textWidth: 80 }, 400)).toBe(106)
  expect(textStart({ x: 390, textWidth: 80 }, 400)).toBe(384)
})
