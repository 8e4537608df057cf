import type { AvailableRow } from '#domain/activations/seats/activation-lists.ts'
import type { ProductChoice } from '#domain/activations/seats/activation-selection.ts'
import type { SeatChoice } from '#domain/activations/seats/choose-seats.ts'
import { isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { countOf, countText } from '#web/lib/format.ts'

/** How many products or entitlements a sentence names. */
const MAX_NAMED = 3

/** Seats by product: "5 seats of Acoustics Response, 3 of Beam Tracer, 1 of Circuit Design and 2 more products". */
export function productSeatsText(rows: readonly { readonly ansysproduct: string; readonly count: number }[]): string {
  const products = Map.groupBy(rows, ({ ansysproduct }) => ansysproduct)
  const parts = [...products].map(([product, own], index) => {
    const seats = own.reduce((sum, { count }) => sum + count, 0)
    return `${index === 0 ? countOf(seats, 'seat') : countText(seats)} of ${product}`
  })
  return listed(parts, 'more product')
}

type Linked = {
  /** What the link has asked for. */
  readonly rows: readonly AvailableRow[]
  readonly hostName: string
  /** The portal has chosen the license server. */
  readonly isHostChosen: boolean
}

/** What a link has brought to be activated; undefined if nothing of it is left. */
export function linkedText({ rows, hostName, isHostChosen }: Linked): string | undefined {
  const linked = rows.filter(({ selected }) => selected)
  if (linked.length === 0) return undefined
  const seats = linked.map(({ ansysproduct, AnsysActivated }) => ({ ansysproduct, count: AnsysActivated }))
  const why = isHostChosen ? ' This license server was used last. You can choose another one under Server.' : ''
  return `Ready to activate on ${hostName}: ${productSeatsText(seats)}.${why}`
}

/** Which entitlements the portal has chosen for a number of seats, and why. `isWhole` names all of them. */
export function choiceText({ product, wanted, taken, changedTo, exceeded }: ProductChoice, isWhole = false): string {
  const missing = taken.reduce((left, { seats }) => left - seats, wanted)
  const parts = taken.map((one) => `${countText(one.seats)} from ${one.row.activationid} (${reasonText(one)})`)
  return [
    `${countOf(wanted, 'seat')} of ${product}, latest end first: ${listed(parts, 'more entitlement', isWhole)}.`,
    missing > 0 && `${countOf(missing, 'seat')} ${missing === 1 ? 'is' : 'are'} missing: no more are available.`,
    exceeded !== undefined
      ? `You changed this to more seats than are available: the maximum of that row is ${countText(exceeded)}.`
      : changedTo !== undefined && `You changed this: ${countOf(changedTo, 'seat')} will be activated.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Whether the text of a choice leaves entitlements out unless it is whole. */
export const isCut = ({ taken }: ProductChoice): boolean => taken.length > MAX_NAMED

function reasonText({ row: { startdate, enddate }, turn }: SeatChoice): string {
  const end = isCalendarDay(enddate) ? `ends ${enddate}` : 'permanent'
  switch (turn) {
    case 'latest end':
      return end
    case 'not started':
      return `starts ${startdate}: no other that runs today is left`
    case 'ends soon':
      return `${end}: no other is left`
    case 'maintenance expired':
      return 'maintenance expired: no other is left'
  }
}

/** "A", "A and B", "A, B, C and 2 more products". */
function listed(parts: readonly string[], more: string, isWhole = false): string {
  const left = isWhole ? 0 : parts.length - MAX_NAMED
  const named = left > 0 ? [...parts.slice(0, MAX_NAMED), countOf(left, more)] : parts
  return [named.slice(0, -1).join(', '), ...named.slice(-1)].filter(Boolean).join(' and ')
}
