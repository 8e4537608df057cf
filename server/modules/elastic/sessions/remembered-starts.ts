import type { Pool } from '#server/db/database.ts'
import { isSamePin } from '#server/modules/elastic/credentials/pin.seal.ts'
import type { StartFacts } from '#server/modules/elastic/sessions/start-facts.queries.ts'

const MAX_REMEMBERED = 10_000

type Start = {
  readonly serverId: string
  readonly pin: string
  readonly username: string
  readonly externalIp: string
  readonly product: string
}
type Remembered = { readonly pin: string; readonly facts: StartFacts }

const byDatabase = new WeakMap<Pool, Map<string, Remembered>>()

const startsOf = (pool: Pool): Map<string, Remembered> => {
  const known = byDatabase.get(pool) ?? new Map<string, Remembered>()
  byDatabase.set(pool, known)
  return known
}
const keyOf = ({ serverId, username, externalIp, product }: Start) =>
  JSON.stringify([serverId, username, externalIp, product])

/**
 * The facts with which such a session was started before, by this process and with this PIN. They may be out of date: the
 * statement that writes a session checks their versions.
 */
export function recallStart(pool: Pool, start: Start): StartFacts | undefined {
  const known = startsOf(pool).get(keyOf(start))
  return known && isSamePin(known.pin, start.pin) ? known.facts : undefined
}

/** Only for starts that were allowed. */
export function rememberStart(pool: Pool, start: Start, facts: StartFacts): void {
  const starts = startsOf(pool)
  if (starts.size >= MAX_REMEMBERED) starts.clear()
  starts.set(keyOf(start), { pin: start.pin, facts })
}
