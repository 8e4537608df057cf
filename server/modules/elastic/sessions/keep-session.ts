import type { endSession as End, sendHeartbeat as Heartbeat } from '#contract/elastic/sessions/elastic-sessions.ts'
import { isExportApproved } from '#domain/access/can.ts'
import { sessionHours } from '#domain/elastic/sessions/session-charge.ts'
import { customerOfSession, HEARTBEAT_SECONDS, oldestHeartbeat } from '#domain/elastic/sessions/session-life.ts'
import { SESSION_REFUSALS } from '#domain/elastic/sessions/session-refusal.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { closeSessions } from '#server/modules/elastic/sessions/close-sessions.ts'
import {
  findEndedSession,
  hasSession,
  listAccountsWithSilentSessions,
  saveHeartbeat,
  takeSession,
  takeSilentSessions,
} from '#server/modules/elastic/sessions/sessions.queries.ts'
import { lockAccounts } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import type { Handler } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'
import { ofAccounts, tryEach } from '#server/tasks/try-each.ts'

const noSuchSession = () => new HttpError(404, 'No such session')

export const sendHeartbeat: Handler<typeof Heartbeat> = async ({ params: { sessionId }, db, now }) => {
  const customerNumber = customerOfSession(sessionId)
  const kept = await saveHeartbeat(db, { customerNumber, sessionId }, { now, oldest: oldestHeartbeat(now) })
  if (!kept) {
    const isOver =
      (await hasSession(db, customerNumber, sessionId)) || (await findEndedSession(db, customerNumber, sessionId))
    if (!isOver) throw noSuchSession()
    throw new BusinessRefusal('SESSION_ENDED', 'This session is over. Start a new one.')
  }
  if (!isExportApproved(kept.exportControlStatus)) throw new BusinessRefusal('EXPORT', SESSION_REFUSALS.EXPORT)
  return { data: { heartbeatSeconds: HEARTBEAT_SECONDS } }
}

/** Usage is booked regardless of changes on the account since the start. */
export const endSession: Handler<typeof End> = async ({ params: { sessionId }, db, now }) => {
  const customerNumber = customerOfSession(sessionId)
  await lockAccounts(db, [customerNumber])
  const running = await takeSession(db, customerNumber, sessionId)
  if (running) {
    const [closed] = await closeSessions(db, customerNumber, [running], now)
    if (!closed) throw new Error('a session was not closed')
    return { data: closed }
  }
  const ended = await findEndedSession(db, customerNumber, sessionId)
  if (!ended) throw noSuchSession()
  return { data: { hours: sessionHours(ended.started_at, ended.ends_at), charge: ended.charge } }
}

/** Closes sessions 15 minutes after their last heartbeat. An account that fails does not block the others. */
export async function closeSilentSessions({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const oldest = oldestHeartbeat(now)
  const close = (customerNumber: string) =>
    db.transaction().execute(async (tx) => {
      await lockAccounts(tx, [customerNumber])
      await closeSessions(tx, customerNumber, await takeSilentSessions(tx, customerNumber, oldest), now)
    })
  const accounts = await listAccountsWithSilentSessions(db, oldest)
  await tryEach(accounts, { ...ofAccounts, complaint: 'silent sessions could not be closed' }, close)
}
