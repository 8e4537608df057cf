import { expect, test } from 'vitest'
import { nextAttempt } from '#server/outbox/deliver-message.ts'

const queued = new Date('2026-11-15T12:00:00Z')
const after = (seconds: number) => new Date(queued.getTime() + seconds * 1000)
const DAY = 24 * 3600

test.each([
  [1, 0, 5],
  [2, 5, 10],
  [3, 15, 20],
  [10, 3000, 2560],
  [11, 6000, 3600],
  [500, 3 * DAY, 3600],
])('after %d failures, %d s after it was queued, the next attempt is in %d s', (failures, age, pause) => {
  expect(nextAttempt(failures, queued, after(age))).toEqual(after(age + pause))
})

test('gives up after four days', () => {
  expect(nextAttempt(100, queued, after(4 * DAY - 3600))).toEqual(after(4 * DAY))
  expect(nextAttempt(100, queued, after(4 * DAY - 3599))).toBeNull()
})
