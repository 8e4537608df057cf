import type { Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { endGone, listToReconcile } from '#server/modules/license-use/logs/checkouts.queries.ts'
import type { HostKey } from '#server/modules/license-use/logs/log.queries.ts'
import type { LogThreads } from '#server/modules/license-use/logs/log-threads.ts'

type Reconciled = { readonly key: HostKey; readonly secret: Buffer | null; readonly logThreads: LogThreads }

/**
 * Ends the checkouts that the last lmstat output no longer showed, at its time: a log may lack the line of their return.
 * Returns whether there were any.
 */
export async function reconcile(
  tx: Transaction<DB>,
  { key, secret, logThreads }: Reconciled,
  statusAt: string,
): Promise<boolean> {
  const rows = await listToReconcile(tx, key, statusAt)
  if (!rows) return false
  const gone = await logThreads.findGone({ ...rows, secret })
  await endGone(tx, key, gone, statusAt)
  return gone.length > 0
}
