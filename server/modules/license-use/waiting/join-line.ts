import { randomUUID } from 'node:crypto'
import type { joinLine as operation } from '#contract/license-use/waiting/waiting.ts'
import { couldServe } from '#domain/license-use/waiting/waiting-line.ts'
import {
  MAX_PLACES,
  MAX_PLACES_OF_PERSON,
  probableUserName,
  seatsText,
  untilProblem,
} from '#domain/license-use/waiting/waiting-rules.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { requireHost } from '#server/modules/license-use/named-host.ts'
import { loadRename } from '#server/modules/license-use/pseudonyms.ts'
import { requireFeature } from '#server/modules/license-use/use/free-seats.ts'
import { advanceLines } from '#server/modules/license-use/waiting/advance-lines.ts'
import { loadLineFacts } from '#server/modules/license-use/waiting/line-facts.ts'
import { loadPlace } from '#server/modules/license-use/waiting/places.ts'
import { insertPlace, listWaiting, lockLines } from '#server/modules/license-use/waiting/waiting.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

export async function joinLine(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, services, standing } = call
  const { customerNumber } = standing
  const { feature, seats = 1 } = body
  const until = new Date(body.until)
  const host = body.serverId === undefined ? null : await requireHost(db, customerNumber, body.serverId)
  await requireFeature(db, customerNumber, feature)
  const problem = untilProblem(until, now)
  if (problem) throw new BusinessRefusal('INVALID_TIME', problem)
  await lockLines(db, customerNumber)
  const rename = await loadRename(db, customerNumber)
  const name = body.userName ?? probableUserName(actor.email)
  const servers = await loadLineFacts(db, customerNumber, feature, { now, reporting: undefined, rename })
  const accepted = servers.filter(({ serverId }) => host === null || serverId === host.hostId)
  if (host && accepted.length === 0)
    throw new HttpError(404, `${host.hostName} has not reported the feature ${feature}`)
  if (!accepted.some((server) => couldServe(server, seats)))
    throw new BusinessRefusal('TOO_MANY_SEATS', `No license server has ${seatsText(seats, feature)}.`)
  const waiting = await listWaiting(db, customerNumber)
  const isWaiting = waiting.some((row) => row.feature === feature && same(rename(row.user_name), rename(name)))
  if (isWaiting) throw new BusinessRefusal('ALREADY_WAITING', `${name} is in the line for ${feature} already.`)
  const own = waiting.filter(({ email }) => email === actor.email)
  if (own.length >= MAX_PLACES_OF_PERSON || waiting.length >= MAX_PLACES)
    throw new BusinessRefusal('LINE_FULL', 'There are too many places in line. Leave some of them first.')
  const id = randomUUID()
  const held = accepted.map(({ serverId, held }) => [serverId, held?.get(rename(name).toLowerCase()) ?? 0] as const)
  await insertPlace(db, {
    customer_number: customerNumber,
    wait_id: id,
    feature,
    host_id: host?.hostId ?? null,
    seats,
    email: actor.email,
    is_mailed: body.isMailed ?? !actor.byToken,
    user_name: rename(name),
    joined_at: now,
    until,
    held_before: JSON.stringify(Object.fromEntries(held)),
  })
  await call.audit({
    target: feature,
    after: { seats, until: until.toISOString(), ...(host ? { server: host.hostName } : {}) },
  })
  await advanceLines(db, services, customerNumber, { now, feature })
  return { data: await loadPlace(db, customerNumber, id) }
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
