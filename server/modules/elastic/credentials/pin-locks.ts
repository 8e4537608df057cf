import type { Kysely, Transaction } from 'kysely'
import type { listPinLocks as List, unlockPin as Unlock } from '#contract/elastic/credentials/pin-locks.ts'
import {
  countsUntil,
  earliestLock,
  isBraked,
  isLocked,
  isRefusedUntil,
} from '#domain/elastic/credentials/pin-guessing.ts'
import { type AuditContext, writeAudit } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import {
  deletePinFailures,
  listPinFailures,
  listPinGuessing,
  listRecentPinFailures,
  type PinFailureKey,
} from '#server/modules/elastic/credentials/pin-failures.queries.ts'
import { findServerOwners } from '#server/modules/elastic/usage/usage-receipts.queries.ts'
import type { Handler } from '#server/operations/route.ts'

export const listPinLocks: Handler<typeof List> = async ({ standing, db, now }) => {
  const found = await listPinFailures(db, standing.customerNumber)
  const data = found.flatMap(({ server_id, external_ip, failures, failed_at }) => {
    const until = isRefusedUntil({ failures, failedAt: failed_at }, now)
    return until ? [{ serverId: server_id, externalIp: external_ip, failures, until: until.toISOString() }] : []
  })
  const guessed = (await listPinGuessing(db, standing.customerNumber)).filter((server) => isBraked(server, now))
  const servers = guessed.map(({ server_id, failures, since }) => ({
    serverId: server_id,
    failures,
    since: since.toISOString(),
    until: countsUntil({ failures, since }).toISOString(),
  }))
  return { data, servers }
}

/** Addresses that were locked on the last days and are let in again: the next wrong PIN locks them anew. */
export async function listEndedPinLocks(
  db: Kysely<DB>,
  customerNumber: string,
  { since, now }: { readonly since: Date; readonly now: Date },
) {
  const found = await listPinFailures(db, customerNumber)
  return found.filter(
    ({ failures, failed_at }) =>
      isLocked(failures) && failed_at >= since && !isRefusedUntil({ failures, failedAt: failed_at }, now),
  )
}

export const unlockPin: Handler<typeof Unlock> = async ({ body, standing, db, audit }) => {
  const { serverId, externalIp } = body
  const owners = await findServerOwners(db, [serverId])
  if (owners.get(serverId) !== standing.customerNumber)
    throw new HttpError(404, 'The account has no elastic license server with this id.')
  const failures = await deletePinFailures(db, {
    customer_number: standing.customerNumber,
    server_id: serverId,
    external_ip: externalIp,
  })
  if (failures !== undefined) await audit({ target: serverId, before: { externalIp, failures } })
  return { data: { unlocked: failures !== undefined } }
}

type PinLock = PinFailureKey & { readonly account_name: string; readonly failures: number; readonly until: Date }

/** Addresses of all accounts that have to wait or are locked, the longest first. */
export async function listAllPinLocks(db: Kysely<DB>, now: Date, limit: number): Promise<PinLock[]> {
  const locks = (await listRecentPinFailures(db, earliestLock(now))).flatMap((row) => {
    const until = isRefusedUntil({ failures: row.failures, failedAt: row.failed_at }, now)
    return until ? [{ ...row, until }] : []
  })
  return locks.sort((one, other) => other.until.getTime() - one.until.getTime()).slice(0, limit)
}

/** Unlocks an address from the command line. False if nothing was locked. */
export async function unlockPinAs(tx: Transaction<DB>, key: PinFailureKey, audit: AuditContext): Promise<boolean> {
  const failures = await deletePinFailures(tx, key)
  if (failures === undefined) return false
  await writeAudit(tx, audit, {
    action: 'elastic/unlockpin',
    customerNumber: key.customer_number,
    target: key.server_id,
    before: { externalIp: key.external_ip, failures },
  })
  return true
}
