import { describe, expect, test } from 'vitest'
import { countedMails, nextMailAt, tooManyMails } from '#domain/messages/mail-brake.ts'

const NOON = new Date('2026-10-10T12:00:00Z')
/** Before noon; negative ones are held back. */
const minutesAgo = (...minutes: number[]) => minutes.map((one) => new Date(NOON.getTime() - one * 60_000))
const [NOW] = minutesAgo(0)

test('mails count for exactly an hour', () => {
  expect(countedMails(minutesAgo(61, 60, 59, 0), NOON)).toEqual(minutesAgo(59, 0))
})

describe('the limit of mails per hour', () => {
  test.each([
    ['leaves at once when none was sent', [], 0],
    ['leaves at once when four were sent', [50, 40, 30, 20], 0],
    ['leaves an hour after the first of five', [50, 40, 30, 20, 10], -10],
    ['leaves an hour after the fifth last of six', [50, 40, 30, 20, 10, -10], -20],
  ])('the next mail %s', (_, sent, next) => {
    expect([nextMailAt(minutesAgo(...sent), NOON)]).toEqual(minutesAgo(next))
  })
})

test('a refusal says when the next mail can be sent', () => {
  const inSeconds = (seconds: number) => new Date(NOON.getTime() + seconds * 1000)
  expect(NOW).toEqual(NOON)
  expect(tooManyMails('ada@aerodyne.example', inSeconds(61), NOON)).toBe(
    'You have sent 5 emails of this kind to ada@aerodyne.example within an hour. Try again in 2 minutes.',
  )
  expect(tooManyMails('ada@aerodyne.example', inSeconds(60), NOON)).toMatch(/Try again in 1 minute\.$/)
})
