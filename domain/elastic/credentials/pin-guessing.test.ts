import { expect, it, test } from 'vitest'
import { guesserOf, isBraked, isLocked, isRefusedUntil } from '#domain/elastic/credentials/pin-guessing.ts'

const failedAt = new Date('2026-10-10T08:00:00.000Z')

it.each([
  [0, 0],
  [2, 0],
  [3, 2],
  [4, 4],
  [5, 8],
  [9, 128],
  [10, 86_400],
  [11, 86_400],
])('after %i wrong PINs the next one waits %i seconds', (failures, seconds) => {
  const at = (second: number) => new Date(failedAt.getTime() + second * 1000)
  const refused = (now: Date) => isRefusedUntil({ failures, failedAt }, now)
  if (seconds > 0) expect(refused(at(seconds - 1))).toEqual(at(seconds))
  expect(refused(at(seconds))).toBeUndefined()
  expect(isLocked(failures)).toBe(failures >= 10)
})

test('an attempt does not wait where no wrong PIN was sent', () => {
  expect(isRefusedUntil(undefined, failedAt)).toBeUndefined()
})

it.each([
  [99, 0, false],
  [100, 0, true],
  [100, 86_399, true],
  [100, 86_400, false],
])(
  '%i wrong PINs for one server in a day slow down new addresses, %i seconds after the first: %s',
  (failures, seconds, isSlow) => {
    expect(isBraked({ failures, since: failedAt }, new Date(failedAt.getTime() + seconds * 1000))).toBe(isSlow)
  },
)

test('without wrong PINs nobody is slowed down', () => {
  expect(isBraked(undefined, failedAt)).toBe(false)
})

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
])('guesses from %s count for %s', (address, guesser) => {
  expect(guesserOf(address)).toBe(guesser)
})
