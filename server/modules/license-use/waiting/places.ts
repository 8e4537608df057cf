import type { Kysely, Transaction } from 'kysely'
import type {
  getPlace as Get,
  leaveLine as Leave,
  setPriority as SetPriority,
  WaitingPlace,
} from '#contract/license-use/waiting/waiting.ts'
import { can } from '#domain/access/can.ts'
import { isClosed, sortedLine, WAITING_LABELS } from '#domain/license-use/waiting/waiting-line.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { loadRename } from '#server/modules/license-use/pseudonyms.ts'
import { findHostNamed } from '#server/modules/license-use/use/use.queries.ts'
import { advanceLines, type LineServices } from '#server/modules/license-use/waiting/advance-lines.ts'
import {
  findPlace,
  listWaiting,
  lockLines,
  savePriority,
  type WaitRow,
  withdrawPlace,
} from '#server/modules/license-use/waiting/waiting.queries.ts'
import { mailEnd } from '#server/modules/license-use/waiting/waiting-mail.ts'
import type { Call, Result } from '#server/operations/route.ts'

async function requirePlace(db: Kysely<DB>, customerNumber: string, id: string): Promise<WaitRow> {
  const row = await findPlace(db, customerNumber, id)
  if (!row) throw new HttpError(404, 'There is no such place in line')
  return row
}

/** A place as its owner sees it. */
export async function loadPlace(db: Kysely<DB>, customerNumber: string, id: string): Promise<WaitingPlace> {
  const row = await requirePlace(db, customerNumber, id)
  const isOpen = !isClosed(row.state)
  const line = isOpen ? sortedLine(await listWaiting(db, customerNumber, row.feature)) : []
  const rename = await loadRename(db, customerNumber)
  return {
    id,
    feature: row.feature,
    state: row.state,
    place: isOpen ? line.findIndex(({ wait_id }) => wait_id === id) + 1 : null,
    seats: row.seats,
    serverId: row.host_id,
    userName: rename(row.user_name),
    until: row.until.toISOString(),
    offer: row.state === 'offered' ? await toOffer(db, row) : null,
  }
}

async function toOffer(db: Kysely<DB>, row: WaitRow): Promise<WaitingPlace['offer']> {
  const { customer_number, offered_host, offer_ends_at } = row
  if (!offered_host || !offer_ends_at) return null
  const host = await findHostNamed(db, customer_number, offered_host)
  return { serverId: offered_host, serverName: host?.hostName ?? offered_host, endsAt: offer_ends_at.toISOString() }
}

export async function getPlace({ body, db, standing }: Call<typeof Get>): Promise<Result<typeof Get>> {
  return { data: await loadPlace(db, standing.customerNumber, body.id) }
}

/** Everybody leaves the line by themselves; administrators take others out. */
export async function leaveLine(call: Call<typeof Leave>): Promise<Result<typeof Leave>> {
  const { actor, body, db, now, services, standing } = call
  const { customerNumber } = standing
  const row = await lockPlace(db, customerNumber, body.id)
  const isOwn = row.email === actor.email
  const decision = can(actor, 'activations.write', standing)
  if (!isOwn && !decision.allowed) await call.refuse(new HttpError(403, decision.reason))
  refuseClosed(row)
  await withdrawPlace(db, row, now)
  await call.audit({ target: row.feature, after: { seats: row.seats } })
  if (!isOwn && row.is_mailed) await mailEnd(db, services, row, 'withdrawn')
  // A seat that was free for this person is free for the next one.
  await advanceLines(db, services, customerNumber, { now, feature: row.feature })
  return { data: await loadPlace(db, customerNumber, body.id) }
}

export async function setPriority(call: Call<typeof SetPriority>): Promise<Result<typeof SetPriority>> {
  const { body, db, now, services, standing } = call
  const { customerNumber } = standing
  const row = await lockPlace(db, customerNumber, body.id)
  refuseClosed(row)
  await savePriority(db, row, body.priority)
  const { seats, priority } = row
  await call.audit({ target: row.feature, before: { priority }, after: { seats, priority: body.priority } })
  await advanceLines(db, services, customerNumber, { now, feature: row.feature })
  return { data: await loadPlace(db, customerNumber, body.id) }
}

/** Takes a person out of every line of an account. Answers out of how many. */
export async function leaveLinesOf(
  tx: Transaction<DB>,
  services: LineServices,
  customerNumber: string,
  { email, now }: { readonly email: string; readonly now: Date },
): Promise<number> {
  const isOf = (row: WaitRow) => row.email === email
  if (!(await listWaiting(tx, customerNumber)).some(isOf)) return 0
  await lockLines(tx, customerNumber)
  const own = (await listWaiting(tx, customerNumber)).filter(isOf)
  for (const row of own) await withdrawPlace(tx, row, now)
  for (const feature of new Set(own.map((row) => row.feature)))
    await advanceLines(tx, services, customerNumber, { now, feature })
  return own.length
}

async function lockPlace(tx: Transaction<DB>, customerNumber: string, id: string): Promise<WaitRow> {
  await lockLines(tx, customerNumber)
  return requirePlace(tx, customerNumber, id)
}

function refuseClosed({ state }: WaitRow): void {
  if (isClosed(state))
    throw new BusinessRefusal('NOT_IN_LINE', `This place is no longer in line: ${WAITING_LABELS[state].toLowerCase()}.`)
}
