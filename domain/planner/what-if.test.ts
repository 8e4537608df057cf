import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type MeasuredEvents, replay } from '#domain/planner/what-if.ts'

const checkout = (from: number, to: number, count = 1) => ({ from, to, count })
const denial = (at: number, count = 1) => ({ at, count })

describe('with another number of seats', () => {
  const two = [checkout(0, 10), checkout(5, 15)]
  test.each<[string, Partial<MeasuredEvents>, number, number]>([
    ['nothing is denied while seats are free', { checkouts: two }, 2, 0],
    ['the second of two at once is denied', { checkouts: two }, 1, 1],
    ['everything is denied without seats', { checkouts: two }, 0, 2],
    ['a seat goes out again in the second of its return', { checkouts: [checkout(0, 5), checkout(5, 9)] }, 1, 0],
    ['a denied checkout holds no seat', { checkouts: [checkout(0, 9), checkout(1, 99), checkout(10, 20)] }, 1, 1],
    ['a seat that is out stays out', { checkouts: [checkout(0, Number.POSITIVE_INFINITY), checkout(50, 60)] }, 1, 1],
    ['a checkout of several seats needs all of them', { checkouts: [checkout(0, 9, 3), checkout(1, 2, 2)] }, 4, 1],
    ['a checkout without length blocks nobody', { checkouts: [checkout(5, 5), checkout(5, 9)] }, 1, 0],
    ['a denial is one again while all seats are out', { checkouts: two, denials: [denial(7)] }, 2, 1],
    ['a denial is none with one seat more', { checkouts: two, denials: [denial(7)] }, 3, 0],
    ['a denial is none when a seat is back', { checkouts: two, denials: [denial(10)] }, 2, 0],
  ])('the replay finds that %s', (_, events, seats, expected) => {
    expect(replay({ checkouts: [], denials: [], ...events })(seats)).toBe(expected)
  })

  const second = fc.integer({ min: 0, max: 30 })
  const count = fc.integer({ min: 1, max: 3 })
  const events = fc.record({
    checkouts: fc.array(
      fc.record({ from: second, length: fc.option(fc.integer({ min: 0, max: 12 })), count }).map((one) => ({
        from: one.from,
        to: one.length === null ? Number.POSITIVE_INFINITY : one.from + one.length,
        count: one.count,
      })),
      { maxLength: 25 },
    ),
    denials: fc.array(fc.record({ at: second, count }), { maxLength: 10 }),
  })

  test('the denials equal a recount of every request against all that hold a seat then', () => {
    fc.assert(
      fc.property(events, fc.integer({ min: 0, max: 12 }), (measured, seats) => {
        expect(replay(measured)(seats)).toBe(recount(measured, seats))
      }),
      { numRuns: 500 },
    )
  })

  test('enough seats for everything at once deny nobody', () => {
    fc.assert(
      fc.property(events, (measured) => {
        const all = [...measured.checkouts, ...measured.denials].reduce((sum, one) => sum + one.count, 0)
        expect(replay(measured)(all)).toBe(0)
      }),
    )
  })
})

/** Second by second, and within a second request by request; who holds a seat is added up anew each time. */
function recount({ checkouts, denials }: MeasuredEvents, seats: number): number {
  const granted: MeasuredEvents['checkouts'][number][] = []
  let denied = 0
  for (let now = 0; now <= 30; now++) {
    const inUse = () =>
      granted.filter(({ from, to }) => from <= now && now < to).reduce((sum, one) => sum + one.count, 0)
    for (const one of checkouts.filter(({ from }) => from === now))
      if (inUse() + one.count <= seats) granted.push(one)
      else denied++
    for (const one of denials.filter(({ at }) => at === now)) if (inUse() + one.count > seats) denied++
  }
  return denied
}
