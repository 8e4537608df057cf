import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MeasuredEvents } from '#domain/license-use/use/measured-moments.ts'
import { replay } from '#domain/planner/what-if.ts'

let lastId = 0
const nextId = () => {
  lastId += 1
  return lastId
}
const checkout = (from: number, to: number, count = 1, inId: number | null = null) => ({
  from,
  to,
  count,
  log: 1,
  outId: nextId(),
  inId,
})
const denial = (at: number, count = 1) => ({ at, count, log: 1, id: nextId() })

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
    ['a checkout whose return has no place blocks nobody', { checkouts: [checkout(5, 5), checkout(5, 9)] }, 1, 0],
    [
      'a seat that is back later in the same second blocks others before',
      { checkouts: [checkout(5, 5, 1, 1_000), checkout(5, 9)], denials: [denial(5)] },
      1,
      2,
    ],
    [
      'a seat that goes out again before its return is another one',
      { checkouts: [checkout(0, 5, 1, 1_000), checkout(5, 9)] },
      1,
      1,
    ],
    ['a denial is one again while all seats are out', { checkouts: two, denials: [denial(7)] }, 2, 1],
    ['a denial is none with one seat more', { checkouts: two, denials: [denial(7)] }, 3, 0],
    ['a denial is none when a seat is back', { checkouts: two, denials: [denial(10)] }, 2, 0],
  ])('the replay finds that %s', (_, events, seats, expected) => {
    expect(replay({ checkouts: [], denials: [], ...events })(seats)).toBe(expected)
  })

  const line = fc.record({
    kind: fc.constantFrom('out', 'in', 'denied'),
    pause: fc.integer({ min: 0, max: 1 }),
    count: fc.integer({ min: 1, max: 3 }),
  })
  const lines = fc.array(line, { maxLength: 40 })

  test('the denials equal a recount of the lines of a log, one after the other', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 0, max: 12 }), (log, seats) => {
        expect(replay(eventsOf(log))(seats)).toBe(recount(log, seats))
      }),
      { numRuns: 500 },
    )
  })

  test('enough seats for everything at once deny nobody', () => {
    fc.assert(
      fc.property(lines, (log) => {
        const measured = eventsOf(log)
        const all = [...measured.checkouts, ...measured.denials].reduce((sum, one) => sum + one.count, 0)
        expect(replay(measured)(all)).toBe(0)
      }),
    )
  })
})

type Line = { readonly kind: string; readonly pause: number; readonly count: number }

/** Each return ends the oldest checkout that is out. */
function eventsOf(lines: readonly Line[]): MeasuredEvents {
  const checkouts: MeasuredEvents['checkouts'][number][] = []
  const denials: MeasuredEvents['denials'][number][] = []
  let at = 0
  for (const [id, { kind, pause, count }] of lines.entries()) {
    at += pause
    if (kind === 'denied') denials.push({ at, count, log: 1, id })
    else if (kind === 'out')
      checkouts.push({ from: at, to: Number.POSITIVE_INFINITY, count, log: 1, outId: id, inId: null })
    else {
      const index = checkouts.findIndex(({ to }) => to === Number.POSITIVE_INFINITY)
      if (index >= 0) checkouts[index] = { ...checkouts[index]!, to: at, inId: id }
    }
  }
  return { checkouts, denials }
}

/** Who holds a seat is added up anew for each line. */
function recount(lines: readonly Line[], seats: number): number {
  const out: { count: number; isHeld: boolean }[] = []
  let denied = 0
  for (const { kind, count } of lines) {
    if (kind === 'in') {
      out.shift()
      continue
    }
    const isGranted = out.reduce((sum, one) => sum + (one.isHeld ? one.count : 0), 0) + count <= seats
    if (!isGranted) denied++
    if (kind === 'out') out.push({ count, isHeld: isGranted })
  }
  return denied
}
