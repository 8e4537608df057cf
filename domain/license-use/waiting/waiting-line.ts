import { MINUTE } from '#domain/license-use/waiting/waiting-rules.ts'

/*
 * The line for seats of one feature. First come, first served, after the priority that administrators gave. What the license servers
 * report moves it: free seats are offered to the first in line, and who checks out a seat has left it.
 */

/** `waiting` and `offered` are in line, the others have left it. */
export const WAITING_STATES = [
  'waiting',
  'offered',
  'checked-out',
  'missed',
  'expired',
  'withdrawn',
  'no-access',
] as const
export type WaitingState = (typeof WAITING_STATES)[number]

/** As people read them. */
export const WAITING_LABELS: Readonly<Record<WaitingState, string>> = {
  waiting: 'Waiting',
  offered: 'Seat free',
  'checked-out': 'Checked out',
  missed: 'Turn missed',
  expired: 'Time is over',
  withdrawn: 'Withdrawn',
  'no-access': 'Access ended',
}

export const PRIORITIES = ['high', 'normal', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]

export type SeatOffer = { readonly serverId: string; readonly offeredAt: Date; readonly endsAt: Date }

/** Somebody in line. */
export type Place = {
  readonly id: string
  /** Null: any license server. */
  readonly serverId: string | null
  readonly seats: number
  /** The name under which the person checks out seats. Upper and lower case are the same. */
  readonly userName: string
  readonly priority: Priority
  /** The order of arrival. */
  readonly number: number
  readonly until: Date
  readonly hasAccess: boolean
  /** The fewest seats that the person held on each license server since they are in line. */
  readonly heldBefore: Readonly<Record<string, number>>
  readonly offer: SeatOffer | null
}

/** What a license server reported last of the feature. */
export type ServerSeats = {
  readonly serverId: string
  /** Null: not known. */
  readonly seats: number | null
  /** Null: not known, or the seats are not counted. */
  readonly free: number | null
  readonly isUncounted: boolean
  readonly reportedAt: Date
  /** Seats by the lower-case name of who holds them; null if they are not known. */
  readonly held: ReadonlyMap<string, number> | null
}

export type LineFacts = {
  readonly now: Date
  /** An offer ends after so many minutes. */
  readonly offerMinutes: number
  readonly servers: readonly ServerSeats[]
}

/** What became of a place that is no longer as it was. */
export type Move = { readonly place: Place; readonly state: WaitingState }

/** An old report does not say that a seat is free now. In milliseconds. */
const FRESH_FOR = 10 * MINUTE
/** After its end, an offer waits so long for a report, which may show the checkout. In milliseconds. */
export const GRACE = 2 * MINUTE

/** Moves the line on. Answers the places that changed; doing it again with the same facts changes nothing more. */
export function advanceLine(places: readonly Place[], facts: LineFacts): Move[] {
  const { now, servers } = facts
  const observed = places.map((place) => {
    const seen = observe(place, servers)
    return { before: place, place: anchored(seen, now), state: stateOf(seen, facts) }
  })
  const offers = offerSeats(
    observed.flatMap(({ place, state }) => (state === 'waiting' || state === 'offered' ? [place] : [])),
    facts,
  )
  return observed.flatMap(({ before, place, state }) => {
    const offer = offers.get(place.id)
    if (offer) return [{ place: { ...place, offer }, state: 'offered' as const }]
    return place !== before || isClosed(state) ? [{ place, state }] : []
  })
}

export const isClosed = (state: WaitingState): boolean => state !== 'waiting' && state !== 'offered'

const accepts = ({ serverId }: Pick<Place, 'serverId'>, server: Pick<ServerSeats, 'serverId'>) =>
  serverId === null || serverId === server.serverId

const heldOn = ({ userName }: Pick<Place, 'userName'>, { held }: ServerSeats): number =>
  held?.get(userName.toLowerCase()) ?? 0

/** Notes how many seats the person holds at least, so that a seat from before is not taken for one they waited for. */
function observe(place: Place, servers: readonly ServerSeats[]): Place {
  const fewer = servers
    .filter((server) => server.held !== null && accepts(place, server))
    .map((server) => [server.serverId, heldOn(place, server)] as const)
    .filter(([serverId, held]) => held < (place.heldBefore[serverId] ?? Number.POSITIVE_INFINITY))
  return fewer.length === 0 ? place : { ...place, heldBefore: { ...place.heldBefore, ...Object.fromEntries(fewer) } }
}

/** Seats that the person checked out since they are in line. */
function takenOn(place: Place, server: ServerSeats): number {
  if (server.held === null || !accepts(place, server)) return 0
  return Math.max(0, heldOn(place, server) - (place.heldBefore[server.serverId] ?? 0))
}

function stateOf(place: Place, { now, servers }: LineFacts): WaitingState {
  const taken = servers.reduce((sum, server) => sum + takenOn(place, server), 0)
  if (taken >= place.seats) return 'checked-out'
  if (!place.hasAccess) return 'no-access'
  if (place.offer === null) return place.until <= now ? 'expired' : 'waiting'
  if (!isOver(place.offer, now, servers)) return 'offered'
  return taken > 0 ? 'checked-out' : 'missed'
}

/** An offer is over at the first report after its end, or a little later if there is none. */
function isOver({ serverId, offeredAt, endsAt }: SeatOffer, now: Date, servers: readonly ServerSeats[]): boolean {
  if (now < endsAt || now < offeredAt) return false
  const reportedAt = servers.find((server) => server.serverId === serverId)?.reportedAt
  const isReported = reportedAt !== undefined && reportedAt >= endsAt && reportedAt <= now
  return isReported || now.getTime() >= endsAt.getTime() + GRACE
}

/** An offer that lies ahead of a clock that was set back would last too long: its time begins again. */
function anchored(place: Place, now: Date): Place {
  const { offer } = place
  if (offer === null || offer.offeredAt <= now) return place
  const endsAt = new Date(now.getTime() + offer.endsAt.getTime() - offer.offeredAt.getTime())
  return { ...place, offer: { ...offer, offeredAt: now, endsAt } }
}

/**
 * The offers of free seats, by place. Seats that are offered already are not offered twice. Who does not find enough seats on a license server
 * keeps those behind from it: otherwise people who need many seats would wait for ever.
 */
function offerSeats(places: readonly Place[], { now, offerMinutes, servers }: LineFacts): Map<string, SeatOffer> {
  const free = new Map(servers.map((server) => [server.serverId, freeOn(server, places, now)]))
  const offers = new Map<string, SeatOffer>()
  for (const place of sortedLine(places)) {
    if (place.offer !== null) continue
    const possible = servers.filter((server) => accepts(place, server) && couldServe(server, place.seats))
    const [best] = possible
      .filter(({ serverId }) => (free.get(serverId) ?? 0) >= place.seats)
      .sort((one, other) => (free.get(other.serverId) ?? 0) - (free.get(one.serverId) ?? 0))
    if (best) {
      offers.set(place.id, {
        serverId: best.serverId,
        offeredAt: now,
        endsAt: new Date(now.getTime() + offerMinutes * MINUTE),
      })
      free.set(best.serverId, (free.get(best.serverId) ?? 0) - place.seats)
    } else for (const { serverId } of possible) free.set(serverId, 0)
  }
  return offers
}

/** Whether a license server has that many seats at all. */
export const couldServe = ({ seats, isUncounted }: Pick<ServerSeats, 'seats' | 'isUncounted'>, wanted: number) =>
  isUncounted || seats === null || seats >= wanted

/** Seats that can be offered, by a report that is new enough. */
function freeOn(server: ServerSeats, places: readonly Place[], now: Date): number {
  const age = now.getTime() - server.reportedAt.getTime()
  if (age < 0 || age > FRESH_FOR) return 0
  if (server.isUncounted) return Number.POSITIVE_INFINITY
  const offered = places
    .filter(({ offer }) => offer?.serverId === server.serverId)
    .reduce((sum, place) => sum + Math.max(0, place.seats - takenOn(place, server)), 0)
  return (server.free ?? 0) - offered
}

const rank = (priority: Priority) => PRIORITIES.indexOf(priority)

/** The first in line first. */
export const sortedLine = <P extends Pick<Place, 'priority' | 'number'>>(places: readonly P[]): P[] =>
  [...places].sort((one, other) => rank(one.priority) - rank(other.priority) || one.number - other.number)
