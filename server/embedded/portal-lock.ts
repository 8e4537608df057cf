import pg from 'pg'
import type { ConnectionSettings } from '#server/embedded/cluster.ts'

/** Held by one session of the portal that owns the database: it goes with the process, however that ends. */
const PORTAL_LOCK = 7_301_001

export type LockAttempt =
  | { readonly outcome: 'ours'; readonly session: pg.Client }
  | { readonly outcome: 'held by another portal' }
  | { readonly outcome: 'server not ready' }
  | { readonly outcome: 'wrong password' }
  | { readonly outcome: 'no server'; readonly error: Error }

export async function tryPortalLock(connection: ConnectionSettings): Promise<LockAttempt> {
  const session = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000, application_name: 'portal lock' })
  // Without a listener a lost connection would end the process; the supervisor hears of it through `end`.
  session.on('error', () => {})
  try {
    await session.connect()
    const { rows } = await session.query('select pg_try_advisory_lock($1) as mine', [PORTAL_LOCK])
    if (rows[0].mine) return { outcome: 'ours', session }
    await session.end()
    return { outcome: 'held by another portal' }
  } catch (error) {
    await session.end().catch(() => {})
    return outcomeOf(error as pg.DatabaseError)
  }
}

function outcomeOf(error: pg.DatabaseError): LockAttempt {
  if (error.code === '28P01' || error.code === '28000') return { outcome: 'wrong password' }
  // Starting up, shutting down, recovering, or out of connections: somebody is there, so nothing is to be started.
  if (error.code === '57P03' || error.code === '53300') return { outcome: 'server not ready' }
  return { outcome: 'no server', error }
}
