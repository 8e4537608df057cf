import type { Transaction } from 'kysely'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { Balances } from '#domain/elastic/balances/draw-charge.ts'
import { sessionCharge, sessionHours } from '#domain/elastic/sessions/session-charge.ts'
import { closeSession } from '#domain/elastic/sessions/session-life.ts'
import type { DB } from '#server/db/schema.ts'
import { loadDrawing } from '#server/modules/elastic/balances/drawable.queries.ts'
import type { RunningSession } from '#server/modules/elastic/sessions/sessions.queries.ts'
import { bookUsage, type SessionEnd, type UsageRow } from '#server/modules/elastic/usage/usage-booking.queries.ts'

export type ClosedSession = { readonly hours: string; readonly charge: string }

/** Books the ends of locked sessions, in the order of their ends. */
export async function closeSessions(
  tx: Transaction<DB>,
  customerNumber: string,
  sessions: readonly RunningSession[],
  now: Date,
): Promise<ClosedSession[]> {
  const account = await loadDrawing(tx, customerNumber)
  const balances = new Balances(account.entitlements)
  const ends: SessionEnd[] = []
  const continuations: UsageRow[] = []
  const closed: ClosedSession[] = []
  const inOrder = sessions
    .map((session) => ({ session, ...closeSession(session.last_heartbeat_at, now) }))
    .sort((one, other) => one.endedAt.getTime() - other.endedAt.getTime())
  for (const { session, endedAt, status } of inOrder) {
    const { started_at: startedAt, product_count, units_per_hour, activation_id, currency } = session
    const charge = sessionCharge({
      startedAt,
      endedAt,
      productCount: product_count,
      unitsPerHour: units_per_hour,
    })
    const beginning = { activationId: activation_id, currency }
    const [first, ...more] = balances.draw(charge, dayIn(account.time_zone, startedAt), beginning)
    if (!first) throw new Error('a charge was drawn on nothing')
    const end = { session_status: status, ends_at: endedAt, arrived_at: now }
    ends.push({
      ...end,
      customer_number: customerNumber,
      transaction_number: session.transaction_number,
      activation_id: first.activationId,
      charge: first.charge,
    })
    if (more.length > 0) {
      const { transaction_number: _number, hours: _hours, ...row } = session
      for (const part of more) continuations.push(continuationOf({ ...row, ...end }, part.activationId, part.charge))
    }
    closed.push({ hours: sessionHours(startedAt, endedAt), charge })
  }
  await bookUsage(tx, continuations, ends)
  return closed
}

/** The part of a charge that continues on the next entitlement. The first part has the session's hours. */
export function continuationOf<R extends { ends_at: Date }>(row: R, activationId: string, charge: string) {
  return { ...row, started_at: row.ends_at, activation_id: activationId, charge, continues: true }
}
