import type { Transaction } from 'kysely'
import { can } from '#domain/access/can.ts'
import { actor } from '#domain/access/standing.ts'
import { advanceLine, type Move, type Place } from '#domain/license-use/waiting/waiting-line.ts'
import { writeAudits } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { contextOfPortal } from '#server/identity/principal.ts'
import { findStandingsOn } from '#server/modules/accounts/accounts.public.ts'
import { loadRename } from '#server/modules/license-use/pseudonyms.ts'
import { loadSettings } from '#server/modules/license-use/save-settings.ts'
import { loadLineFacts, type NamedSeats } from '#server/modules/license-use/waiting/line-facts.ts'
import {
  announceOffer,
  listAccountsWithLines,
  listWaiting,
  lockLines,
  saveMove,
  type WaitRow,
} from '#server/modules/license-use/waiting/waiting.queries.ts'
import { type MailedEnd, mailEnd, mailOffer } from '#server/modules/license-use/waiting/waiting-mail.ts'
import { writeEvents } from '#server/modules/webhooks/webhooks.public.ts'
import type { Services } from '#server/services.ts'
import { ofAccounts, tryEach } from '#server/tasks/try-each.ts'

export type LineServices = Pick<Services, 'clock' | 'config'>
type Of = { readonly now: Date; readonly reporting?: string; readonly feature?: string }

/**
 * Moves the lines of an account on, and tells those whose turn it is, in the transaction of what moved them. `reporting` is the license server
 * whose report has just been stored.
 */
export async function advanceLines(
  tx: Transaction<DB>,
  services: LineServices,
  customerNumber: string,
  { now, reporting, feature }: Of,
): Promise<void> {
  // Most reports move nobody, and need not wait for others.
  if ((await listWaiting(tx, customerNumber, feature)).length === 0) return
  await lockLines(tx, customerNumber)
  const waiting = await listWaiting(tx, customerNumber, feature)
  const { offerMinutes } = await loadSettings(tx, customerNumber)
  const rename = await loadRename(tx, customerNumber)
  const standings = await findStandingsOn(tx, customerNumber, [...new Set(waiting.map(({ email }) => email))])
  const hasAccess = ({ email }: WaitRow) => can(actor(email, []), 'license-use.wait', standings.get(email)).allowed
  for (const [name, rows] of Map.groupBy(waiting, (row) => row.feature)) {
    const servers = await loadLineFacts(tx, customerNumber, name, { now, reporting, rename })
    const places = rows.map((row) => ({ ...toPlace(row), userName: rename(row.user_name), hasAccess: hasAccess(row) }))
    const byId = new Map(rows.map((row) => [row.wait_id, row]))
    for (const move of advanceLine(places, { now, offerMinutes, servers })) {
      const row = byId.get(move.place.id)
      if (row) await apply(tx, services, { row, move, servers, now })
    }
  }
}

function toPlace(row: WaitRow): Omit<Place, 'hasAccess'> {
  const { offered_host, offered_at, offer_ends_at } = row
  return {
    id: row.wait_id,
    serverId: row.host_id,
    seats: row.seats,
    userName: row.user_name,
    priority: row.priority,
    number: row.number,
    until: row.until,
    heldBefore: row.held_before,
    offer:
      offered_host && offered_at && offer_ends_at
        ? { serverId: offered_host, offeredAt: offered_at, endsAt: offer_ends_at }
        : null,
  }
}

type Applied = {
  readonly row: WaitRow
  readonly move: Move
  readonly servers: readonly NamedSeats[]
  readonly now: Date
}

const ENDS = {
  'checked-out': 'the user has checked out',
  missed: 'nobody checked out in time',
  expired: 'the time is over',
  'no-access': 'the person has no access any more',
} as const

async function apply(tx: Transaction<DB>, services: LineServices, { row, move, servers, now }: Applied): Promise<void> {
  await saveMove(tx, row, move, now)
  const { place, state } = move
  const { customer_number: customerNumber, feature, seats } = row
  const context = contextOfPortal(now)
  if (state === 'waiting' || state === 'withdrawn') return
  if (state !== 'offered') {
    const after = { seats, why: ENDS[state] }
    await writeAudits(tx, context, [{ action: 'license-use.end-place', customerNumber, target: feature, after }])
    if (row.is_mailed && isMailed(state)) await mailEnd(tx, services, row, state)
    return
  }
  // An offer that only begins again, because the clock was set back, is no news.
  if (row.state === 'offered' || !place.offer) return
  const { serverId, endsAt } = place.offer
  const serverName = servers.find((server) => server.serverId === serverId)?.serverName ?? serverId
  const after = { seats, server: serverName }
  await writeAudits(tx, context, [{ action: 'license-use.offer', customerNumber, target: feature, after }])
  const offerEndsAt = endsAt.toISOString()
  await writeEvents(tx, customerNumber, now, [
    {
      type: 'seat.free',
      data: {
        hostId: serverId,
        hostName: serverName,
        placeId: row.wait_id,
        feature,
        seats,
        username: place.userName,
        offerEndsAt,
      },
    },
  ])
  await announceOffer(tx, { email: row.email, customerNumber, feature, seats, serverName, endsAt: offerEndsAt })
  if (row.is_mailed) await mailOffer(tx, services, row, { serverName, endsAt })
}

const isMailed = (state: string): state is MailedEnd => state === 'missed' || state === 'expired'

/** Moves all lines on: offers and times end without a report, too. */
export async function advanceAllLines(
  services: Pick<Services, 'clock' | 'config' | 'db'>,
  signal?: AbortSignal,
): Promise<void> {
  const options = { ...ofAccounts, complaint: 'lines for seats could not be moved on', signal }
  await tryEach(await listAccountsWithLines(services.db), options, (customerNumber) =>
    services.db
      .transaction()
      .execute((tx) => advanceLines(tx, services, customerNumber, { now: services.clock.now() })),
  )
}
