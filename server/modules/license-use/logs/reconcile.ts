import type { Transaction } from 'kysely'
import { listGone } from '#domain/license-use/logs/gone-checkouts.ts'
import type { DB } from '#server/db/schema.ts'
import { loadStatus } from '#server/modules/license-use/lmstat/lmstat.queries.ts'
import { endGone, listOpenBefore } from '#server/modules/license-use/logs/checkouts.queries.ts'
import type { HostKey } from '#server/modules/license-use/logs/log.queries.ts'

/**
 * Ends the checkouts that the last lmstat output no longer showed, at its time: a log may lack the line of their return.
 * Returns whether there were any.
 */
export async function reconcile(
  tx: Transaction<DB>,
  { key, rename }: { readonly key: HostKey; readonly rename: (user: string) => string },
  statusAt: string,
): Promise<boolean> {
  const open = await listOpenBefore(tx, key, statusAt)
  if (!open.length) return false
  const { features, holders } = await loadStatus(tx, key)
  const named = <R extends { readonly user: string }>(rows: readonly R[]) =>
    rows.map((row) => ({ ...row, user: rename(row.user) }))
  const gone = listGone(named(open), named(holders), features)
  await endGone(tx, key, gone, statusAt)
  return gone.length > 0
}
