import type { Pool } from '#server/db/database.ts'
import { hearSignals } from '#server/db/notifications.queries.ts'
import type { AccountFacts, CallerFacts, SessionFacts } from '#server/identity/principal.queries.ts'
import type { ServiceKeyRow } from '#server/identity/service-keys.queries.ts'

const MAX_SESSIONS = 20_000
const MAX_STANDINGS = 50_000

/**
 * What is known about callers. Nothing is known for longer than it is true: the database announces every change of a
 * session, role, contact, grant, switch, export status, holding or service key to all processes. A process that cannot be sure to hear
 * of changes knows nothing; that its listener has died silently, it notices after `MAX_UNHEARD` at the latest.
 */
export type RememberedCallers = {
  find(sessionHash: string, customerNumbers: readonly string[]): CallerFacts | undefined
  /** What was loaded since `begun` is kept, unless something has changed meanwhile. */
  keep(sessionHash: string, facts: CallerFacts, begun: Changes): void
  /** Taken before loading. */
  changes(): Changes
  /** This process has changed something itself, and does not wait for the announcement. */
  forgetAccounts(customerNumbers: Iterable<string>): void
  forgetSession(sessionHash: string): void
  noteSeen(sessionHash: string, at: Date): void
  findKey(id: string): ServiceKeyRow | undefined
  keepKey(row: ServiceKeyRow, begun: Changes): void
  noteKeyUse(id: string, at: Date): void
  /** Resolves when everything that was committed before has been heard. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Counts forgetting. */
export type Changes = number

export const NO_MEMORY: RememberedCallers = {
  find: () => undefined,
  keep: () => {},
  changes: () => 0,
  forgetAccounts: () => {},
  forgetSession: () => {},
  noteSeen: () => {},
  findKey: () => undefined,
  keepKey: () => {},
  noteKeyUse: () => {},
  settled: async () => {},
  close: async () => {},
}

export function rememberCallers(pool: Pool): RememberedCallers {
  const sessions = new Map<string, SessionFacts>()
  /** By account, then by email. */
  const standings = new Map<string, Map<string, AccountFacts>>()
  /** The operator makes them, so there are few. */
  const serviceKeys = new Map<string, ServiceKeyRow>()
  let standingCount = 0
  let changes: Changes = 0

  function forgetAll(): void {
    changes++
    sessions.clear()
    standings.clear()
    standingCount = 0
    serviceKeys.clear()
  }
  function forgetAccount(customerNumber: string): void {
    changes++
    standingCount -= standings.get(customerNumber)?.size ?? 0
    standings.delete(customerNumber)
  }
  function forgetSession(hash: string): void {
    changes++
    sessions.delete(hash)
  }
  function forgetPerson(email: string): void {
    changes++
    for (const [hash, session] of sessions) if (session.email === email) sessions.delete(hash)
  }

  function forgetKey(id: string): void {
    changes++
    serviceKeys.delete(id)
  }

  function hear(payload: string): void {
    const space = payload.indexOf(' ')
    const [what, value] = [payload.slice(0, space), payload.slice(space + 1)]
    if (what === 'account') forgetAccount(value)
    else if (what === 'session') forgetSession(value)
    else if (what === 'person') forgetPerson(value)
    else if (what === 'key') forgetKey(value)
    else forgetAll()
  }

  // After a gap, anything may have changed meanwhile.
  const signals = hearSignals(pool, { access_change: hear }, forgetAll, forgetAll)

  return {
    find(sessionHash, customerNumbers) {
      const session = signals.isHearing() ? sessions.get(sessionHash) : undefined
      if (!session) return undefined
      const accounts = new Map<string, AccountFacts>()
      for (const number of customerNumbers) {
        const known = standings.get(number)
        if (!known?.has(session.email)) return undefined
        accounts.set(number, known.get(session.email))
      }
      return { session, accounts }
    },
    keep(sessionHash, { session, accounts }, begun) {
      if (!signals.isHearing() || begun !== changes) return
      if (sessions.size >= MAX_SESSIONS || standingCount >= MAX_STANDINGS) forgetAll()
      sessions.set(sessionHash, session)
      for (const [number, account] of accounts) {
        const known = standings.get(number) ?? new Map<string, AccountFacts>()
        if (!known.has(session.email)) standingCount++
        standings.set(number, known.set(session.email, account))
      }
    },
    changes: () => changes,
    forgetAccounts(customerNumbers) {
      for (const number of customerNumbers) forgetAccount(number)
    },
    forgetSession,
    noteSeen(sessionHash, at) {
      const session = sessions.get(sessionHash)
      if (session) sessions.set(sessionHash, { ...session, lastSeenAt: at })
    },
    findKey: (id) => (signals.isHearing() ? serviceKeys.get(id) : undefined),
    keepKey(row, begun) {
      if (signals.isHearing() && begun === changes) serviceKeys.set(row.id, row)
    },
    noteKeyUse(id, at) {
      const row = serviceKeys.get(id)
      if (row) serviceKeys.set(id, { ...row, last_used_at: at })
    },
    settled: signals.settled,
    close: signals.close,
  }
}
