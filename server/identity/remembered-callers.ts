import type { Pool } from '#server/db/database.ts'
import { hearSignals } from '#server/db/notifications.queries.ts'
import type { TokenFacts } from '#server/identity/api-tokens.queries.ts'
import {
  type AccountFacts,
  accountEmailOf,
  type CallerFacts,
  type SignInSessionFacts,
} from '#server/identity/principal.queries.ts'
import type { ServiceKeyRow } from '#server/identity/service-keys.queries.ts'

const MAX_SESSIONS = 20_000
const MAX_STANDINGS = 50_000
const MAX_TOKENS = 20_000
/** Maximum age in milliseconds: bounds the effect of a change whose notification was lost or never sent. */
export const MAX_AGE = 60_000

/**
 * A cache of callers. Every change of a session, role, contact, grant, switch, export status, holding, service key or token is
 * announced to all processes by its writer (`announceAccess`). A process without a working listener caches nothing; it
 * notices a silently dead listener after `MAX_UNHEARD` at the latest. No entry is older than `MAX_AGE`.
 */
export type RememberedCallers = {
  find(sessionHash: string, customerNumbers: readonly string[]): CallerFacts | undefined
  /** Stores what was loaded since `begun`, unless something has changed in the meantime. */
  keep(sessionHash: string, facts: CallerFacts, begun: Changes): void
  /** Call this before loading. */
  changes(): Changes
  /** Called after a change by this process, which does not wait for the notification. */
  forgetAccounts(customerNumbers: Iterable<string>): void
  forgetSignInSession(sessionHash: string): void
  noteSeen(sessionHash: string, at: Date): void
  findKey(id: string): ServiceKeyRow | undefined
  keepKey(row: ServiceKeyRow, begun: Changes): void
  noteKeyUse(id: string, at: Date): void
  /** Tokens by their hash in hex. A change of an account forgets its tokens. */
  findToken(hash: string): TokenFacts | undefined
  keepToken(hash: string, facts: TokenFacts, begun: Changes): void
  noteTokenUse(hash: string, at: Date): void
  /** Resolves when everything that was committed before has been received. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Counts invalidations. */
export type Changes = number

export const NO_MEMORY: RememberedCallers = {
  find: () => undefined,
  keep: () => {},
  changes: () => 0,
  forgetAccounts: () => {},
  forgetSignInSession: () => {},
  noteSeen: () => {},
  findKey: () => undefined,
  keepKey: () => {},
  noteKeyUse: () => {},
  findToken: () => undefined,
  keepToken: () => {},
  noteTokenUse: () => {},
  settled: async () => {},
  close: async () => {},
}

/** A cached value and when it was loaded. */
type Aged<T> = { readonly value: T; readonly at: number }

export function rememberCallers(pool: Pool, now: () => number = () => performance.now()): RememberedCallers {
  const sessions = new Map<string, Aged<SignInSessionFacts>>()
  /** By account, then by email. */
  const standings = new Map<string, Map<string, Aged<AccountFacts>>>()
  /** Operators create service keys, so there are few. */
  const serviceKeys = new Map<string, Aged<ServiceKeyRow>>()
  const tokens = new Map<string, Aged<TokenFacts>>()
  const tokensOf = new Map<string, Set<string>>()
  let standingCount = 0
  let changes: Changes = 0

  function forgetAll(): void {
    changes++
    sessions.clear()
    standings.clear()
    standingCount = 0
    serviceKeys.clear()
    tokens.clear()
    tokensOf.clear()
  }
  function forgetAccount(customerNumber: string): void {
    changes++
    standingCount -= standings.get(customerNumber)?.size ?? 0
    standings.delete(customerNumber)
    for (const hash of tokensOf.get(customerNumber) ?? []) tokens.delete(hash)
    tokensOf.delete(customerNumber)
  }
  function forgetSignInSession(hash: string): void {
    changes++
    sessions.delete(hash)
  }
  function forgetPerson(email: string): void {
    changes++
    for (const [hash, { value }] of sessions) if (value.email === email) sessions.delete(hash)
  }

  function forgetKey(id: string): void {
    changes++
    serviceKeys.delete(id)
  }

  function hear(payload: string): void {
    const space = payload.indexOf(' ')
    const [what, value] = [payload.slice(0, space), payload.slice(space + 1)]
    if (what === 'account') forgetAccount(value)
    else if (what === 'session') forgetSignInSession(value)
    else if (what === 'person') forgetPerson(value)
    else if (what === 'key') forgetKey(value)
    else forgetAll()
  }

  // After a gap in listening, anything may have changed.
  const signals = hearSignals(pool, { access_change: hear }, forgetAll, forgetAll)

  const fresh = <T>(aged: Aged<T> | undefined) =>
    aged && signals.isHearing() && now() - aged.at < MAX_AGE ? aged : undefined

  return {
    find(sessionHash, customerNumbers) {
      const session = fresh(sessions.get(sessionHash))?.value
      if (!session) return undefined
      const accounts = new Map<string, AccountFacts>()
      for (const number of customerNumbers) {
        const known = fresh(standings.get(number)?.get(accountEmailOf(session)))
        if (!known) return undefined
        accounts.set(number, known.value)
      }
      return { session, accounts }
    },
    keep(sessionHash, { session, accounts }, begun) {
      if (!signals.isHearing() || begun !== changes) return
      if (sessions.size >= MAX_SESSIONS || standingCount >= MAX_STANDINGS) forgetAll()
      const at = now()
      sessions.set(sessionHash, { value: session, at })
      for (const [number, account] of accounts) {
        const known = standings.get(number) ?? new Map<string, Aged<AccountFacts>>()
        const email = accountEmailOf(session)
        if (!known.has(email)) standingCount++
        standings.set(number, known.set(email, { value: account, at }))
      }
    },
    changes: () => changes,
    forgetAccounts(customerNumbers) {
      for (const number of customerNumbers) forgetAccount(number)
    },
    forgetSignInSession,
    noteSeen(sessionHash, at) {
      const session = sessions.get(sessionHash)
      if (session) sessions.set(sessionHash, { ...session, value: { ...session.value, lastSeenAt: at } })
    },
    findKey: (id) => fresh(serviceKeys.get(id))?.value,
    keepKey(row, begun) {
      if (signals.isHearing() && begun === changes) serviceKeys.set(row.id, { value: row, at: now() })
    },
    noteKeyUse(id, at) {
      const key = serviceKeys.get(id)
      if (key) serviceKeys.set(id, { ...key, value: { ...key.value, last_used_at: at } })
    },
    findToken: (hash) => fresh(tokens.get(hash))?.value,
    keepToken(hash, facts, begun) {
      if (!signals.isHearing() || begun !== changes) return
      if (tokens.size >= MAX_TOKENS) forgetAll()
      const { customer_number } = facts.token
      tokens.set(hash, { value: facts, at: now() })
      tokensOf.set(customer_number, (tokensOf.get(customer_number) ?? new Set()).add(hash))
    },
    noteTokenUse(hash, at) {
      const known = tokens.get(hash)
      if (!known) return
      const { token, account } = known.value
      tokens.set(hash, { ...known, value: { token: { ...token, last_used_at: at }, account } })
    },
    settled: signals.settled,
    close: signals.close,
  }
}
