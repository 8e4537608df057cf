import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { listUnsealedAccounts } from '#server/audit/chain.queries.ts'
import { SEALED_AT_ONCE, sealRows } from '#server/audit/seal-rows.ts'
import type { DB } from '#server/db/schema.ts'
import type { InstallationSecrets } from '#server/db/secrets.queries.ts'
import type { Clock } from '#server/doors/clock.ts'
import { type Poll, poll } from '#server/poll.ts'

const POLL_INTERVAL = 1000
const ACCOUNTS_AT_ONCE = 100

type Parts = {
  readonly db: Kysely<DB>
  readonly secrets: InstallationSecrets
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

/**
 * Seals what was logged, for as long as the portal runs, at most about a second after the commit. Several processes may do
 * so at the same time: the head of a chain lets one at a time append to it.
 */
export const auditSealer = ({ log, ...parts }: Parts): Poll =>
  poll({
    interval: POLL_INTERVAL,
    // Rows that come one by one are sealed together, once a second.
    round: async (signal) => (await sealWaiting(parts, signal)) >= SEALED_AT_ONCE,
    failed: (err) => log.error({ err }, 'the audit log cannot be sealed'),
  })

/**
 * Seals a batch of every account that has rows waiting. Answers how many rows. Where it fails for an account, the others are
 * sealed before the error is thrown.
 */
export async function sealWaiting({ db, secrets, clock }: Omit<Parts, 'log'>, signal?: AbortSignal): Promise<number> {
  let sealed = 0
  const failures: Error[] = []
  for (const customerNumber of await listUnsealedAccounts(db, ACCOUNTS_AT_ONCE)) {
    if (signal?.aborted) break
    try {
      sealed += await sealRows(db, secrets, customerNumber, clock.now())
    } catch (cause) {
      failures.push(new Error(`account ${customerNumber}`, { cause }))
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'audit logs could not be sealed')
  return sealed
}
