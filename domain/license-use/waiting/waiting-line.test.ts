import { describe, expect, test } from 'vitest'
import { advanceLine, GRACE, type Place, type ServerSeats } from '#domain/license-use/waiting/waiting-line.ts'
import { MINUTE } from '#domain/license-use/waiting/waiting-rules.ts'

const TEN = Date.UTC(2026, 10, 19, 10)
const at = (minutes: number) => new Date(TEN + minutes * MINUTE)
const person = (userName: string, change: Partial<Place> = {}): Place => ({
  id: userName,
  serverId: null,
  seats: 1,
  userName,
  priority: 'normal',
  number: userName.charCodeAt(0),
  until: at(600),
  hasAccess: true,
  heldBefore: { one: 0, two: 0 },
  offer: null,
  ...change,
})
/** An offer of a seat of the first license server, made at ten. */
const offered = (userName: string, change: Partial<Place> = {}) =>
  person(userName, { offer: { serverId: 'one', offeredAt: at(0), endsAt: at(10) }, ...change })
const server = (free: number | null, change: Partial<ServerSeats> = {}): ServerSeats => ({
  serverId: 'one',
  seats: 5,
  free,
  isUncounted: false,
  reportedAt: at(0),
  held: new Map(),
  ...change,
})
const holds = (...held: [string, number][]) => ({ held: new Map(held) })
/** The line at some minutes past ten, in words: "ann offered one". */
function advance(places: readonly Place[], servers: readonly ServerSeats[], minutes = 0): string[] {
  return advanceLine(places, { now: at(minutes), offerMinutes: 10, servers }).map(({ place, state }) =>
    [place.id, state, ...(state === 'offered' ? [place.offer?.serverId] : [])].join(' '),
  )
}

describe('free seats are offered', () => {
  test.each<[what: string, places: Place[], servers: ServerSeats[], moves: string[]]>([
    ['to nobody while none is free', [person('ann')], [server(0)], []],
    ['to nobody while it is not known', [person('ann')], [server(null)], []],
    ['to the first in line', [person('bob'), person('ann')], [server(1)], ['ann offered one']],
    [
      'to several people',
      [person('ann'), person('bob'), person('cid')],
      [server(2)],
      ['ann offered one', 'bob offered one'],
    ],
    [
      'to a higher priority first',
      [person('ann'), person('bob', { priority: 'high' })],
      [server(1)],
      ['bob offered one'],
    ],
    ['to a lower priority last', [person('ann', { priority: 'low' }), person('bob')], [server(1)], ['bob offered one']],
    ['once: an offer keeps its seats', [offered('ann'), person('bob')], [server(1)], []],
    ['beside those that are offered', [offered('ann'), person('bob')], [server(2)], ['bob offered one']],
    ['not to who wants more than there are', [person('ann', { seats: 3 })], [server(2)], []],
    [
      'in order: who needs more keeps those behind from the server',
      [person('ann', { seats: 3 }), person('bob')],
      [server(2)],
      [],
    ],
    [
      'past those who need more than the server has',
      [person('ann', { seats: 9 }), person('bob')],
      [server(2)],
      ['bob offered one'],
    ],
    ['on the named server only', [person('ann', { serverId: 'two' })], [server(1)], []],
    [
      'past those who wait for another server',
      [person('ann', { serverId: 'two' }), person('bob')],
      [server(1), server(0, { serverId: 'two' })],
      ['bob offered one'],
    ],
    ['where most are free', [person('ann')], [server(1), server(2, { serverId: 'two' })], ['ann offered two']],
    [
      'without end where seats are not counted',
      [person('ann', { seats: 9 }), person('bob')],
      [server(null, { seats: null, isUncounted: true })],
      ['ann offered one', 'bob offered one'],
    ],
    ['not by an old report', [person('ann')], [server(1, { reportedAt: at(-11) })], []],
    ['not by a report from the future', [person('ann')], [server(1, { reportedAt: at(1) })], []],
    [
      'again, if more seats were offered than are free',
      [offered('ann'), offered('bob'), person('cid')],
      [server(1)],
      [],
    ],
  ])('%s', (_what, places, servers, moves) => {
    expect(advance(places, servers)).toEqual(moves)
  })
})

describe('an offer', () => {
  test.each<[what: string, place: Place, minutes: number, report: ServerSeats, moves: string[]]>([
    ['lasts until its end', offered('ann'), 9, server(1, { reportedAt: at(9) }), []],
    ['waits for a report after its end', offered('ann'), 10, server(1, { reportedAt: at(9) }), []],
    [
      'is missed at the first report after its end',
      offered('ann'),
      11,
      server(1, { reportedAt: at(11) }),
      ['ann missed'],
    ],
    ['is missed a little later without a report', offered('ann'), 10 + GRACE / MINUTE, server(1), ['ann missed']],
    ['is taken by a checkout', offered('ann'), 5, server(0, holds(['ann', 1])), ['ann checked-out']],
    [
      'is taken in time, although the report comes late',
      offered('ann'),
      11,
      server(0, { reportedAt: at(11), ...holds(['ann', 1]) }),
      ['ann checked-out'],
    ],
    ['is taken in capitals', offered('Ann'), 5, server(0, holds(['ann', 1])), ['Ann checked-out']],
    ['is not taken by somebody else', offered('ann'), 5, server(0, holds(['bob', 1])), []],
    [
      'is not taken by a seat from before',
      offered('ann', { heldBefore: { one: 1 } }),
      5,
      server(0, holds(['ann', 1])),
      [],
    ],
    [
      'is taken by one more seat',
      offered('ann', { heldBefore: { one: 1 } }),
      5,
      server(0, holds(['ann', 2])),
      ['ann checked-out'],
    ],
    ['of two seats waits for the second', offered('ann', { seats: 2 }), 5, server(0, holds(['ann', 1])), []],
    [
      'of two seats is taken by one of them at its end',
      offered('ann', { seats: 2 }),
      12,
      server(0, holds(['ann', 1])),
      ['ann checked-out'],
    ],
    ['outlasts the time until which the person waits', offered('ann', { until: at(5) }), 6, server(1), []],
    ['ends with the access', offered('ann', { hasAccess: false }), 5, server(1), ['ann no-access']],
    ['is not ended by reports of a clock that was set back', offered('ann'), 10, server(1, { reportedAt: at(60) }), []],
  ])('%s', (_what, place, minutes, report, moves) => {
    expect(advance([place], [report], minutes)).toEqual(moves)
  })

  test('goes to the next when it is missed', () => {
    const line = [offered('ann'), person('bob')]
    expect(advance(line, [server(1, { reportedAt: at(11) })], 11)).toEqual(['ann missed', 'bob offered one'])
  })

  test('begins again when the clock is set back, so that it does not last for hours', () => {
    const [move] = advanceLine([offered('ann')], { now: at(-120), offerMinutes: 10, servers: [server(1)] })
    expect(move).toMatchObject({ state: 'offered', place: { offer: { offeredAt: at(-120), endsAt: at(-110) } } })
  })
})

describe('somebody in line', () => {
  test.each<[what: string, place: Place, minutes: number, report: ServerSeats, moves: string[]]>([
    [
      'leaves it with a seat that they got by themselves',
      person('ann'),
      0,
      server(0, holds(['ann', 1])),
      ['ann checked-out'],
    ],
    ['stays until the end of their time', person('ann', { until: at(5) }), 4, server(0), []],
    ['leaves it at the end of their time', person('ann', { until: at(5) }), 5, server(1), ['ann expired']],
    ['leaves it without access', person('ann', { hasAccess: false }), 0, server(1), ['ann no-access']],
    ['stays while nobody knows who holds seats', person('ann'), 0, server(null, { held: null }), []],
  ])('%s', (_what, place, minutes, report, moves) => {
    expect(advance([place], [report], minutes)).toEqual(moves)
  })

  test('gets an offer for a seat that they returned and want again', () => {
    const had = person('ann', { heldBefore: { one: 1 } })
    const [returned] = advanceLine([had], { now: at(0), offerMinutes: 10, servers: [server(0)] })
    expect(returned).toMatchObject({ state: 'waiting', place: { heldBefore: { one: 0 } } })
    expect(advance(returned ? [returned.place] : [], [server(0, holds(['ann', 1]))])).toEqual(['ann checked-out'])
  })

  test('is not taken for a holder when a license server is known again', () => {
    const place = person('ann', { heldBefore: {} })
    const [known] = advanceLine([place], { now: at(0), offerMinutes: 10, servers: [server(0, holds(['ann', 2]))] })
    expect(known).toMatchObject({ state: 'waiting', place: { heldBefore: { one: 2 } } })
  })
})
