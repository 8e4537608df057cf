import fc from 'fast-check'
import { expect, test } from 'vitest'
import { absoluteSeconds, formatDay } from '#domain/license-use/logs/local-time.ts'
import type { LogEvent } from '#domain/license-use/logs/log-events.ts'
import { createLogReader, type LogReaderState } from '#domain/license-use/logs/log-reader.ts'
import { createLineSplitter } from '#domain/license-use/text-lines.ts'
import { toUseSteps } from '#domain/license-use/use/seats-in-use.ts'

/** What the writer of a log knows: who took which seats when, and who was turned away. */
type Checkout = { feature: string; user: string; count: number; from: number; to: number | null }
type Denial = { feature: string; user: string; at: number }

const FIRST_DAY = 20_500
const FIRST = FIRST_DAY * 86_400 + 9 * 3600
const DAYS = 3

const user = fc.constantFrom('ann', 'bob', 'CORP\\carl', 'Dora Maar', 'eve@example.com')
const feature = fc.constantFrom('solver', 'mesh.pro', 'pre post')
/** A user takes one checkout of a feature at a time, so that the log tells which seat came back. */
const plan = fc.record({
  checkouts: fc.array(
    fc.record({
      feature,
      user,
      count: fc.integer({ min: 1, max: 9 }),
      after: fc.integer({ min: 1, max: 40_000 }),
      seconds: fc.integer({ min: 1, max: 90_000 }),
      isReturned: fc.boolean(),
    }),
    { maxLength: 40 },
  ),
  denials: fc.array(fc.record({ feature, user, after: fc.integer({ min: 0, max: DAYS * 86_400 }) }), { maxLength: 20 }),
})

function toFacts({ checkouts, denials }: typeof plan extends fc.Arbitrary<infer T> ? T : never) {
  const freeAt = new Map<string, number>()
  const facts: Checkout[] = []
  for (const { feature, user, count, after, seconds, isReturned } of checkouts) {
    const key = `${feature}|${user}`
    const from = (freeAt.get(key) ?? FIRST) + after
    if (from >= FIRST + DAYS * 86_400) continue
    const to = from + seconds
    freeAt.set(key, isReturned ? to : Number.POSITIVE_INFINITY)
    facts.push({ feature, user, count, from, to: isReturned ? to : null })
  }
  return { checkouts: facts, denials: denials.map(({ after, ...rest }): Denial => ({ ...rest, at: FIRST + after })) }
}

/** Writes the log as the license manager does: a date every six hours, times without a day in between. */
function writeLog({ checkouts, denials }: ReturnType<typeof toFacts>): string {
  const events = [
    ...checkouts.flatMap(({ feature, user, count, from, to }) => {
      const seats = count === 1 ? '' : `(${count} licenses) `
      const out = { at: from, text: `(sim) OUT: "${feature}" ${user}@pc-1  ${seats}` }
      return to === null ? [out] : [out, { at: to, text: `(sim) IN: "${feature}" ${user}@pc-1  ${seats}` }]
    }),
    ...denials.map(({ feature, user, at }) => ({
      at,
      text: `(sim) DENIED: "${feature}" ${user}@pc-2  (Licensed number of users already reached. (-4,342))`,
    })),
    ...Array.from({ length: (DAYS + 2) * 4 }, (_, index) => {
      const at = FIRST + index * 21_600
      const [year, month, day] = formatDay(Math.floor(at / 86_400))
        .split('-')
        .map(Number)
      return { at, text: `(lmgrd) TIMESTAMP ${month}/${day}/${year}` }
    }),
  ].sort((one, other) => one.at - other.at)
  return events
    .map(({ at, text }) => {
      const two = (value: number) => String(value).padStart(2, '0')
      const hour = Math.floor((at % 86_400) / 3600)
      return `${String(hour).padStart(2)}:${two(Math.floor(at / 60) % 60)}:${two(at % 60)} ${text}\n`
    })
    .join('')
}

/** Reads a log in pieces, each with a new reader that knows only the state of the one before, as JSON. */
function readInPieces(bytes: Uint8Array, size: number): LogEvent[] {
  const events: LogEvent[] = []
  let state: LogReaderState | undefined
  const splitter = createLineSplitter()
  for (let at = 0; at < bytes.length; at += size) {
    const reader = createLogReader((event) => events.push(event), state)
    for (const line of splitter.push(bytes.subarray(at, at + size))) reader.read(line)
    reader.pause()
    state = JSON.parse(JSON.stringify(reader.state()))
  }
  const last = createLogReader((event) => events.push(event), state)
  for (const line of splitter.end()) last.read(line)
  last.end()
  return events
}

function toCheckouts(events: readonly LogEvent[]): Checkout[] {
  const found = new Map<number, Checkout>()
  for (const event of events) {
    if (event.kind === 'out')
      found.set(event.id, {
        feature: event.feature,
        user: event.user,
        count: event.count,
        from: absoluteSeconds(event.out),
        to: null,
      })
    const known = event.kind === 'in' ? found.get(event.id) : undefined
    if (event.kind === 'in' && known) known.to = absoluteSeconds(event.in)
  }
  return [...found.values()]
}

const inOrder = <T extends { feature: string; user: string }>(rows: readonly T[], at: (row: T) => number) =>
  [...rows].sort((one, other) => at(one) - at(other) || (one.feature + one.user < other.feature + other.user ? -1 : 1))
const peaks = (checkouts: readonly Checkout[]) =>
  Object.fromEntries(
    ['solver', 'mesh.pro', 'pre post'].map((feature) => {
      const intervals = checkouts
        .filter((checkout) => checkout.feature === feature)
        .map(({ from, to, count }) => ({ from, to: to ?? Number.POSITIVE_INFINITY, count }))
      return [feature, Math.max(0, ...toUseSteps(intervals).map(({ inUse }) => inUse))]
    }),
  )

test('logs of random events read back to the same checkouts, denials and peaks, in pieces of any size', () => {
  fc.assert(
    fc.property(plan, fc.integer({ min: 1, max: 4000 }), (planned, size) => {
      const facts = toFacts(planned)
      const events = readInPieces(new TextEncoder().encode(writeLog(facts)), size)
      const checkouts = toCheckouts(events)
      expect(inOrder(checkouts, ({ from }) => from)).toEqual(inOrder(facts.checkouts, ({ from }) => from))
      expect(peaks(checkouts)).toEqual(peaks(facts.checkouts))
      const denials = events.flatMap((event) =>
        event.kind === 'denial' ? [{ feature: event.feature, user: event.user, at: absoluteSeconds(event.time) }] : [],
      )
      expect(inOrder(denials, ({ at }) => at)).toEqual(inOrder(facts.denials, ({ at }) => at))
      const real = events.filter((event) => event.kind === 'denial' && event.repeatOf === null).length
      expect(real).toBe(countBursts(facts.denials))
      expect(events.filter(({ kind }) => kind === 'problem' || kind === 'in-without-out')).toEqual([])
    }),
    { numRuns: 60 },
  )
})

/** A retry follows the denial before it within a minute. */
function countBursts(denials: readonly Denial[]): number {
  const last = new Map<string, number>()
  let bursts = 0
  for (const { feature, user, at } of inOrder(denials, (denial) => denial.at)) {
    const before = last.get(`${feature}|${user}`)
    if (before === undefined || at - before > 60) bursts += 1
    last.set(`${feature}|${user}`, at)
  }
  return bursts
}
