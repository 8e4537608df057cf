import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  advanceLine,
  couldServe,
  isClosed,
  type Place,
  PRIORITIES,
  type ServerSeats,
  sortedLine,
  type WaitingState,
} from '#domain/license-use/waiting/waiting-line.ts'
import { MINUTE } from '#domain/license-use/waiting/waiting-rules.ts'

const PEOPLE = 50
const SERVERS = ['one', 'two']
const STEPS = fc.array(
  fc.record({
    /** Minutes that pass; a clock can be set back or forward. */
    minutes: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 4 }) },
      { weight: 1, arbitrary: fc.integer({ min: -180, max: 180 }) },
    ),
    server: fc.constantFrom(...SERVERS),
    /** Seats that nobody in line holds. */
    others: fc.integer({ min: 0, max: 4 }),
    isKnown: fc.integer({ min: 0, max: 9 }).map((chance) => chance > 0),
    /** People with an offer who check out, by the position of their offer. */
    takers: fc.array(fc.nat(5), { maxLength: 3 }),
    returns: fc.boolean(),
    /** The process is killed before the moves are stored. */
    isKilled: fc.integer({ min: 0, max: 4 }).map((chance) => chance === 0),
  }),
  { minLength: 20, maxLength: 80 },
)
const LINE = fc.array(
  fc.record({
    serverId: fc.constantFrom(null, ...SERVERS),
    seats: fc.constantFrom(1, 1, 1, 2, 3),
    priority: fc.constantFrom(...PRIORITIES),
    until: fc.constantFrom(60, 600, 6000),
  }),
  { minLength: PEOPLE, maxLength: PEOPLE },
)
const LIMIT = 4

test('50 people in line: nobody is offered a seat twice for one place, nobody is overtaken, and nobody is forgotten', () => {
  fc.assert(
    fc.property(LINE, STEPS, (people, steps) => {
      const places = new Map<string, Place>(
        people.map((one, index) => [
          `user${index}`,
          {
            ...one,
            id: `user${index}`,
            userName: `user${index}`,
            number: index,
            until: new Date(one.until * MINUTE),
            hasAccess: true,
            heldBefore: { one: 0, two: 0 },
            offer: null,
          },
        ]),
      )
      const states = new Map<string, WaitingState>([...places.keys()].map((id) => [id, 'waiting']))
      const offers = new Map<string, number>()
      const held = new Map(SERVERS.map((server) => [server, new Map<string, number>()]))
      const reports = new Map<string, ServerSeats>()
      let now = 0
      const line = () => [...places.values()].filter(({ id }) => !isClosed(states.get(id) ?? 'waiting'))
      const seatsOf = (server: string) => [...(held.get(server)?.values() ?? [])].reduce((sum, seats) => sum + seats, 0)

      function advance(isKilled: boolean): void {
        const moves = advanceLine(line(), { now: new Date(now), offerMinutes: 10, servers: [...reports.values()] })
        if (isKilled) return
        const outstanding = new Map(SERVERS.map((server) => [server, 0]))
        const before = new Map(line().map((place) => [place.id, place]))
        for (const { place, state } of moves) {
          const isNew = state === 'offered' && before.get(place.id)?.offer === null
          if (isNew) offers.set(place.id, (offers.get(place.id) ?? 0) + 1)
          if (isNew && place.offer) {
            const { serverId } = place.offer
            outstanding.set(serverId, (outstanding.get(serverId) ?? 0) + place.seats)
          }
          places.set(place.id, place)
          states.set(place.id, state)
        }
        // No more is offered than is free.
        for (const [server, seats] of outstanding)
          expect(seats).toBeLessThanOrEqual(seats ? (reports.get(server)?.free ?? 0) : 0)
        // Nobody who still waits was overtaken on a license server that could serve them.
        const waiting = line().filter(({ offer }) => offer === null)
        const sorted = sortedLine([...places.values()]).map(({ id }) => id)
        for (const { place, state } of moves) {
          if (state !== 'offered' || before.get(place.id)?.offer !== null) continue
          const report = reports.get(place.offer?.serverId ?? '')
          const overtaken = waiting.filter(
            (one) =>
              sorted.indexOf(one.id) < sorted.indexOf(place.id) &&
              (one.serverId === null || one.serverId === report?.serverId) &&
              report &&
              couldServe(report, one.seats),
          )
          expect(overtaken).toEqual([])
        }
      }

      function report(server: string, others: number, isKnown: boolean): void {
        const free = Math.max(0, LIMIT - others - seatsOf(server))
        reports.set(server, {
          serverId: server,
          seats: LIMIT,
          free: isKnown ? free : null,
          isUncounted: false,
          reportedAt: new Date(now),
          held: isKnown ? new Map(held.get(server)) : null,
        })
      }

      for (const { minutes, server, others, isKnown, takers, returns, isKilled } of steps) {
        now += minutes * MINUTE
        const taking = line().filter(({ offer }) => offer !== null)
        for (const index of takers) {
          const place = taking[index]
          if (place?.offer) held.get(place.offer.serverId)?.set(place.userName, place.seats)
        }
        if (returns) held.get(server)?.clear()
        report(server, others, isKnown)
        advance(isKilled)
        if (isKilled) advance(false)
      }
      // Nobody comes for their seats any more. Every offer and every time ends.
      for (let round = 0; round < 2 * PEOPLE + 10; round += 1) {
        now += 13 * MINUTE
        for (const server of SERVERS) {
          held.get(server)?.clear()
          report(server, 0, true)
        }
        advance(false)
      }
      expect([...offers.values()].every((count) => count === 1)).toBe(true)
      expect(line()).toEqual([])
      expect([...states].filter(([id, state]) => state === 'missed' && !offers.has(id))).toEqual([])
    }),
    { numRuns: 40 },
  )
})
