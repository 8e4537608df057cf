import type { Kysely } from 'kysely'
import type { IpRule } from '#domain/elastic/credentials/ip-rules.ts'
import { isLocked, isRefusedUntil } from '#domain/elastic/credentials/pin-guessing.ts'
import { isStillDenied } from '#domain/elastic/sessions/still-denied.ts'
import type { DB } from '#server/db/schema.ts'
import { loadRates } from '#server/modules/elastic/balances/drawable.queries.ts'
import { loadIpRules, loadUsernames } from '#server/modules/elastic/credentials/credentials.queries.ts'
import { listPinFailures } from '#server/modules/elastic/credentials/pin-failures.queries.ts'
import { type DeniedGroup, listDeniedGroups } from '#server/modules/elastic/sessions/denials.queries.ts'

/** A bound for an attack from very many addresses, the most denied first. */
const MAX = 10_000

/** Denials of the last days whose cause is still there: who would be let in now is left out. */
export async function listStillDenied(
  db: Kysely<DB>,
  customerNumber: string,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<DeniedGroup[]> {
  const groups = await listDeniedGroups(db, customerNumber, since, MAX)
  const ipRules = new Map<string, readonly IpRule[]>()
  const usernames = new Map<string, readonly string[]>()
  for (const { reason, server } of groups) {
    const key = { customerNumber, deviceId: server }
    if (reason === 'ADDRESS_NOT_ALLOWED' && !ipRules.has(server))
      ipRules.set(server, (await loadIpRules(db, key)).rules)
    if (reason === 'USER_NOT_ALLOWED' && !usernames.has(server))
      usernames.set(server, (await loadUsernames(db, key)).users)
  }
  const unknown = groups.filter(({ reason }) => reason === 'UNKNOWN_PRODUCT').map(({ subject }) => subject)
  const products = new Set(unknown.length > 0 ? (await loadRates(db, unknown)).keys() : [])
  const failures = await listPinFailures(db, customerNumber)
  const hasWrongPins = failures.some(({ failed_at }) => failed_at >= since)
  const rulesOf = ({ server }: DeniedGroup) => ({
    ipRules: ipRules.get(server) ?? [],
    usernames: usernames.get(server) ?? [],
    products,
    hasWrongPins,
  })
  const locked = failures.filter(
    (one) =>
      isLocked(one.failures) && isRefusedUntil({ failures: one.failures, failedAt: one.failed_at }, now) !== undefined,
  )
  return [
    ...groups.filter((group) => isStillDenied(group, rulesOf(group))),
    ...locked.map(({ server_id, external_ip, failures: count }) => ({
      reason: 'LOCKED' as const,
      server: server_id,
      subject: external_ip,
      count,
    })),
  ]
}
