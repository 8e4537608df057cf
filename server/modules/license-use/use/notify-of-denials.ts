import type { Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { type DenialRow, listDeniedMinutes } from '#server/modules/license-use/logs/checkouts.queries.ts'
import type { HostKey } from '#server/modules/license-use/logs/log.queries.ts'
import { minuteKey } from '#server/modules/license-use/logs/log-rows.ts'
import { findHostNamed } from '#server/modules/license-use/use/use.queries.ts'
import { writeEvents } from '#server/modules/webhooks/webhooks.public.ts'

/**
 * Tells webhooks of users who were turned away for lack of seats: the first one of a feature and minute. Call it before
 * the denials are stored: those that are stored were told.
 */
export async function notifyOfDenials(
  tx: Transaction<DB>,
  key: HostKey,
  denials: readonly DenialRow[],
  now: Date,
): Promise<void> {
  const fresh = new Map(denials.map((denial) => [minuteKey(denial), denial]))
  if (fresh.size === 0) return
  for (const told of await listDeniedMinutes(tx, key, [...fresh.values()])) fresh.delete(minuteKey(told))
  const { hostId } = key
  const hostName = (await findHostNamed(tx, key.customerNumber, hostId))?.hostName ?? hostId
  const events = [...fresh.values()].map(({ feature, cause, code, reason, user, host, seats, at }) => ({
    type: 'license_server.denied' as const,
    data: {
      hostId,
      hostName,
      feature,
      cause,
      code,
      text: reason,
      username: user,
      host,
      seats,
      deniedAt: at.replace(' ', 'T'),
    },
  }))
  await writeEvents(tx, key.customerNumber, now, events)
}
