import type { Kysely } from 'kysely'
import { isAddressAllowed } from '#domain/elastic/credentials/ip-rules.ts'
import { isLocked, isRefusedUntil } from '#domain/elastic/credentials/pin-guessing.ts'
import { usernameKey } from '#domain/elastic/credentials/usernames.ts'
import type { SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import type { DB } from '#server/db/schema.ts'
import { loadIpRules, loadUsernames } from '#server/modules/elastic/credentials/credentials.queries.ts'
import { listPinFailures } from '#server/modules/elastic/credentials/pin-failures.queries.ts'
import { type DeniedGroup, listDeniedGroups } from '#server/modules/elastic/sessions/denials.queries.ts'

export type StillDenied = Pick<DeniedGroup, 'server' | 'subject' | 'count'> & { readonly reason: SessionRefusal }

/** So many addresses and usernames are looked at, the most denied first. */
const MOST = 50

/** Denials of the last days whose cause is still there: who was let in since is left out. */
export async function listStillDenied(
  db: Kysely<DB>,
  customerNumber: string,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<StillDenied[]> {
  const groups = await listDeniedGroups(db, customerNumber, since, MOST)
  const rules = new Map<string, Awaited<ReturnType<typeof loadIpRules>>['rules']>()
  const users = new Map<string, Set<string>>()
  for (const { reason, server } of groups) {
    const key = { customerNumber, deviceId: server }
    if (reason === 'ADDRESS_NOT_ALLOWED' && !rules.has(server)) rules.set(server, (await loadIpRules(db, key)).rules)
    if (reason === 'USER_NOT_ALLOWED' && !users.has(server))
      users.set(server, new Set((await loadUsernames(db, key)).users.map(usernameKey)))
  }
  const isStill = ({ reason, server, subject }: DeniedGroup): boolean => {
    if (reason === 'ADDRESS_NOT_ALLOWED') return !isAddressAllowed(rules.get(server) ?? [], subject)
    if (reason !== 'USER_NOT_ALLOWED') return reason !== 'LOCKED'
    const allowed = users.get(server)
    return allowed !== undefined && allowed.size > 0 && !allowed.has(usernameKey(subject))
  }
  const locked = (await listPinFailures(db, customerNumber)).filter(
    ({ failures, failed_at }) => isLocked(failures) && isRefusedUntil({ failures, failedAt: failed_at }, now),
  )
  return [
    ...groups.filter(isStill),
    ...locked.map(({ server_id, external_ip, failures }) => ({
      reason: 'LOCKED' as const,
      server: server_id,
      subject: external_ip,
      count: failures,
    })),
  ]
}
