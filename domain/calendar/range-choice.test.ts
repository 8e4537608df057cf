import { expect, test } from 'vitest'
import { chooseDay, chosenRange, type RangeChoice } from '#domain/calendar/range-choice.ts'

test.each<[clicks: string[], expected: RangeChoice, isFinished: boolean]>([
  [[], {}, false],
  [['2026-11-10'], { from: '2026-11-10' }, false],
  [['2026-11-10', '2026-11-12'], { from: '2026-11-10', to: '2026-11-12' }, true],
  // The same day twice chooses that day.
  [['2026-11-10', '2026-11-10'], { from: '2026-11-10', to: '2026-11-10' }, true],
  // Before the start a new range starts.
  [['2026-11-10', '2026-11-03'], { from: '2026-11-03' }, false],
  [['2026-11-10', '2026-11-03', '2026-11-05'], { from: '2026-11-03', to: '2026-11-05' }, true],
  // In a finished range the next click starts a new one.
  [['2026-11-10', '2026-11-12', '2026-11-11'], { from: '2026-11-11' }, false],
  [['2026-11-10', '2026-11-12', '2026-12-01'], { from: '2026-12-01' }, false],
])('clicks on %j choose %o', (clicks, expected, isFinished) => {
  const choice = clicks.reduce(chooseDay, {} as RangeChoice)
  expect(choice).toEqual(expected)
  expect(chosenRange(choice) !== undefined).toBe(isFinished)
})
