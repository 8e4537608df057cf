import type { Transaction } from 'kysely'
import { dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'
import { RAISED_BY, type Reached, reachedText } from '#domain/elastic/limits/decide-start.ts'
import { limitText, namedSubject, type StartNames, subjectText } from '#domain/elastic/limits/limit.ts'
import { resetDay } from '#domain/elastic/limits/limit-period.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { markTold } from '#server/modules/elastic/limits/limits-told.queries.ts'
import type { StartLimit } from '#server/modules/elastic/limits/start-limits.queries.ts'
import { writeDenial, writeEvents } from '#server/modules/webhooks/webhooks.public.ts'

/** A start that a limit refuses, with everything that people and programs are told about it. */
export type LimitReached = {
  readonly reached: Reached<StartLimit>
  readonly names: StartNames
  readonly timeZone: string
}

/** The answer of a refused start: `limit` is for programs. */
export class LimitRefusal extends BusinessRefusal {
  readonly limit: object
  constructor(refused: LimitReached, now: Date) {
    const { reached, names, timeZone } = refused
    const day = resetDay(reached.limit, dayIn(timeZone, now))
    super('LIMIT', reachedText(reached, names, day === null ? null : { day, timeZone }))
    this.limit = limitFacts(refused, now)
  }

  override get body(): object {
    return { ...super.body, limit: this.limit }
  }
}

function limitFacts({ reached: { limit, used, cost }, timeZone }: LimitReached, now: Date) {
  const { booked: _booked, running: _running, ...own } = limit
  const day = resetDay(limit, dayIn(timeZone, now))
  const resetsAt = day === null ? null : startOfDay(timeZone, day).toISOString()
  return { ...own, used, cost, resetsAt, raisedBy: RAISED_BY }
}

/** The columns of a denial that say which limit refused it. */
export const deniedBy = (refused: LimitReached | undefined) =>
  refused ? { limit_id: refused.reached.limit.id, limit_text: limitText(refused.reached.limit) } : {}

type DeniedStart = { readonly username: string; readonly host: string; readonly serverId: string }

/** Tells webhooks that a limit refused a start, and once in a period that it is reached. */
export async function notifyOfLimit(
  tx: Transaction<DB>,
  customerNumber: string,
  now: Date,
  refused: LimitReached,
  { username, host, serverId }: DeniedStart,
): Promise<void> {
  const { reached, names, timeZone } = refused
  const { limit, used, cost } = reached
  const about = {
    limitId: limit.id,
    limit: limitText(limit),
    subject: subjectText(namedSubject(limit, names)),
    currency: limit.currency,
    used,
    refuseAt: limit.refuseAt ?? '',
    resetsAt: limitFacts(refused, now).resetsAt,
  }
  const start = { username, host, serverId, product: names.product, project: names.project || null, cost }
  await writeDenial(tx, customerNumber, now, { type: 'limit.refused', data: { ...about, ...start, reason: 'LIMIT' } })
  const isNews = await markTold(tx, customerNumber, 'reached', limit, names, { now, today: dayIn(timeZone, now) })
  if (isNews) await writeEvents(tx, customerNumber, now, [{ type: 'limit.reached', data: about }])
}
