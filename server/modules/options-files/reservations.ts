import { randomUUID } from 'node:crypto'
import type { removeReservation as Remove, saveReservation as Save } from '#contract/options-files/options-files.ts'
import { reservedInFile } from '#domain/options-files/check-options.ts'
import { readOptionsRules } from '#domain/options-files/options-document.ts'
import {
  isSameFeature,
  MAX_RESERVATIONS,
  type Reservation,
  reservationProblem,
} from '#domain/options-files/reservations.ts'
import { BusinessRefusal, ConflictError, HttpError } from '#server/http/http-error.ts'
import { loadStored, requireDaemon, toReservation } from '#server/modules/options-files/load-options.ts'
import {
  countChange,
  deleteReservation,
  findReservation,
  lockOptionsFile,
  saveReservationRow,
} from '#server/modules/options-files/options-files.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const NO_RESERVATION = 'There is no such reservation.'
const CHANGED_MEANWHILE = 'Somebody else has changed this reservation in the meantime.'
const NO_FILE = 'Save an options file with the group first.'

/** The file is locked first: of two people who reserve the last seats at once, the second is refused. */
export async function saveReservation(call: Call<typeof Save>): Promise<Result<typeof Save>> {
  const { actor, body, db, now } = call
  const known = await requireDaemon(call, body.serverId, body.daemon)
  const { key, features, today } = known
  if (!(await lockOptionsFile(db, key))) throw new BusinessRefusal('RESERVATION_REFUSED', NO_FILE)
  const { feature, group, seats, from, to } = body
  const wanted: Reservation = { feature, group, seats, from, to, weekdays: body.weekdays.toSorted() }
  const before = body.id === undefined ? undefined : await findReservation(db, key, body.id)
  if (body.id !== undefined && !before) throw new HttpError(404, NO_RESERVATION)
  if (before && before.revision !== body.revision)
    throw new ConflictError(CHANGED_MEANWHILE, { current: toReservation(before), yours: wanted })
  const { text, reservations } = await loadStored(db, known)
  const others = reservations.filter(({ id }) => id !== body.id)
  if (others.length >= MAX_RESERVATIONS)
    throw new BusinessRefusal('TOO_MANY_RESERVATIONS', `A file can have ${MAX_RESERVATIONS} reservations.`)
  const reading = readOptionsRules(text)
  const problem = reservationProblem(wanted, {
    others,
    seats: features.find((one) => isSameFeature(one.feature, feature))?.seats ?? null,
    reservedInFile: reservedInFile(reading, feature),
    groups: reading.groups.map(({ name }) => name),
    today,
  })
  if (problem) throw new BusinessRefusal('RESERVATION_REFUSED', problem)
  const row = await saveReservationRow(db, key, before?.reservation_id ?? randomUUID(), {
    feature,
    group_name: group,
    seats,
    first_day: from,
    last_day: to,
    weekdays: [...wanted.weekdays],
    saved_by: actor.email,
    saved_at: now,
    revision: (before?.revision ?? 0) + 1,
  })
  await countChange(db, key, 0)
  await call.audit({
    target: row.reservation_id,
    ...(before ? { before: auditedOf(toReservation(before)) } : {}),
    after: { ...auditedOf(wanted), server: key.hostId, daemon: key.daemon },
  })
  return { data: toReservation(row) }
}

export async function removeReservation(call: Call<typeof Remove>): Promise<Result<typeof Remove>> {
  const { body, db } = call
  const { key } = await requireDaemon(call, body.serverId, body.daemon)
  const isLocked = (await lockOptionsFile(db, key)) !== undefined
  const row = isLocked ? await deleteReservation(db, key, body.id) : undefined
  if (!row) throw new HttpError(404, NO_RESERVATION)
  await countChange(db, key, 0)
  await call.audit({ target: body.id, before: { ...auditedOf(toReservation(row)), server: key.hostId } })
  return { data: null }
}

const auditedOf = ({ feature, group, seats, from, to, weekdays }: Reservation) => ({
  feature,
  group,
  seats,
  from,
  to,
  weekdays,
})
