import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { CalendarFeed, createCalendarFeed, revokeCalendarFeed } from '#contract/reminders/reminders.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { calendarText } from '#domain/reminders/calendar.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { insertFeed, listFeeds, openFeed, revokeFeed } from '#server/modules/reminders/calendar-feeds.queries.ts'
import { listEndings } from '#server/modules/reminders/reminders.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'

const MAX_FEEDS = 20
const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

export async function createFeed(call: Call<typeof createCalendarFeed>): Promise<Result<typeof createCalendarFeed>> {
  const { actor, body, db, now, services, standing } = call
  const { customerNumber } = standing
  if ((await listFeeds(db, customerNumber)).length >= MAX_FEEDS)
    throw new BusinessRefusal(
      'TOO_MANY_FEEDS',
      `An account can have ${MAX_FEEDS} calendar addresses. Revoke one first.`,
    )
  const feed: CalendarFeed = {
    id: randomUUID(),
    name: body.name,
    createdBy: actor.email,
    createdAt: now.toISOString(),
    usedAt: null,
  }
  const secret = `cal_${randomBytes(32).toString('base64url')}`
  await insertFeed(db, customerNumber, feed, hashOf(secret))
  await call.audit({ target: feed.id, after: { name: feed.name } })
  const url = `${services.config.origin}/calendars/${encodeURIComponent(customerNumber)}/${secret}.ics`
  return { data: { feed, url } }
}

export async function revoke(call: Call<typeof revokeCalendarFeed>): Promise<Result<typeof revokeCalendarFeed>> {
  const { body, db, now, standing } = call
  const name = await revokeFeed(db, standing.customerNumber, body.id, now)
  if (name === undefined) throw new HttpError(404, 'There is no such calendar address.')
  await call.audit({ target: body.id, before: { name } })
  return { data: null }
}

type Address = { Params: { customerNumber: string; file: string } }

/** Calendar programs cannot sign in: anybody who knows the address can read the end dates, until it is revoked. */
export function serveCalendars(app: FastifyInstance, { db, clock, config }: Services): void {
  app.get<Address>('/calendars/:customerNumber/:file', { schema: { hide: true } }, async (request, reply) => {
    const { customerNumber, file } = request.params
    const now = clock.now()
    const account = file.endsWith('.ics')
      ? await openFeed(db, customerNumber, hashOf(file.slice(0, -'.ics'.length)), now)
      : undefined
    if (!account) throw new HttpError(404, 'There is no such calendar. Its address may have been revoked.')
    const endings = await listEndings(db, customerNumber, dayIn(account.time_zone, now))
    const host = new URL(config.origin).hostname
    return reply
      .header('cache-control', 'private, no-store')
      .header('x-robots-tag', 'noindex')
      .type('text/calendar; charset=utf-8')
      .send(calendarText({ name: `${account.name}: end dates`, host, now, endings }))
  })
}
