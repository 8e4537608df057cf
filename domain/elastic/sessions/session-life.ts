/** How often a client is told to send a heartbeat: two may be lost before the session is closed. */
export const HEARTBEAT_SECONDS = 300

/** A session that was abandoned ends after this time. In milliseconds. */
export const LIFE = 15 * 60 * 1000

/** A session without heartbeats ends at this instant. */
const expiryOf = (lastHeartbeat: Date): Date => new Date(lastHeartbeat.getTime() + LIFE)

/** Sessions whose last heartbeat is not after this instant are over. */
export const oldestHeartbeat = (now: Date): Date => new Date(now.getTime() - LIFE)

export type SessionClose = { readonly endedAt: Date; readonly status: 'Completed' | 'Timed out' }

/** The end of a session that is closed now: now, unless it has been silent for too long. */
export function closeSession(lastHeartbeat: Date, now: Date): SessionClose {
  const expiry = expiryOf(lastHeartbeat)
  return expiry <= now ? { endedAt: expiry, status: 'Timed out' } : { endedAt: now, status: 'Completed' }
}

/** The id contains the account, so that a session is found without searching other accounts. */
export const formatSessionId = (customerNumber: string, unique: string) => `${customerNumber}.${unique}`

/** Whether an id could be the id of a session of the account. */
export const canBeSessionOf = (customerNumber: string, id: string) => id.startsWith(formatSessionId(customerNumber, ''))

export function customerOfSession(sessionId: string): string {
  return sessionId.slice(0, sessionId.indexOf('.'))
}

export const SESSION_ID_PATTERN = '^[A-Za-z0-9-]{1,20}\\.[A-Za-z0-9-]{1,64}$'
