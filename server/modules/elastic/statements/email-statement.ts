import type { emailMonth, emailWeek } from '#contract/elastic/statements/mailed-statements.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { readDayOf } from '#domain/calendar/day-range.ts'
import { mailedPeriod, type StatementKind } from '#domain/elastic/statements/mailed-statement.ts'
import { HttpError } from '#server/http/http-error.ts'
import { findNamedServer } from '#server/modules/elastic/credentials/named-server.ts'
import { freezeStatement } from '#server/modules/elastic/statements/freeze-statement.ts'
import { queueStatement } from '#server/modules/elastic/statements/statement-mail.ts'
import type { Call } from '#server/operations/route.ts'

type Operation = typeof emailWeek | typeof emailMonth

/** Mails a statement of one entitlement to the caller. */
export async function emailStatement(call: Call<Operation>, kind: StatementKind): Promise<{ data: null }> {
  const { actor, body, db, now, services, standing } = call
  await findNamedServer({ body: { clsId: body.server }, db, standing })
  const key = {
    customerNumber: standing.customerNumber,
    kind,
    period: mailedPeriod(kind, readDay(call)),
    activationId: body.activationid,
  }
  const frozen = await freezeStatement(db, services, key, { at: now, by: actor.email })
  const mail = await queueStatement(db, services, frozen, key, [actor.email], actor.email)
  await call.audit({ target: frozen.file.file_name, after: { ...key.period, activationId: body.activationid, mail } })
  return { data: null }
}

/** A period that has not ended cannot be frozen. */
function readDay({ body, now, timeZone }: Call<Operation>): string {
  const day = readDayOf(body.date, timeZone)
  if (!day) throw new HttpError(400, 'body.date must be an instant such as 2026-10-01T12:00:00Z')
  if (day > dayIn(timeZone, now)) throw new HttpError(400, 'body.date must not be in the future')
  return day
}
