import type { Kysely } from 'kysely'
import type { ServerSeats } from '#domain/license-use/waiting/waiting-line.ts'
import type { DB } from '#server/db/schema.ts'
import type { Rename } from '#server/modules/license-use/pseudonyms.ts'
import { isKnown, toSeatsNow } from '#server/modules/license-use/use/free-seats.ts'
import { type FreeRow, listFree, listHeldSeats } from '#server/modules/license-use/use/use.queries.ts'

type Means = {
  readonly now: Date
  /** The license server whose report has just been stored. */
  readonly reporting: string | undefined
  readonly rename: Rename
}

export type NamedSeats = ServerSeats & { readonly serverName: string }

/** What the license servers of an account report of a feature, for the line of it. */
export async function loadLineFacts(
  db: Kysely<DB>,
  customerNumber: string,
  feature: string,
  means: Means,
): Promise<NamedSeats[]> {
  const rows = await listFree(db, customerNumber, feature)
  return toLineFacts(rows, await listHeldSeats(db, customerNumber, feature), means)
}

function toLineFacts(
  rows: readonly FreeRow[],
  holders: Awaited<ReturnType<typeof listHeldSeats>>,
  { now, reporting, rename }: Means,
): NamedSeats[] {
  return rows.map((row) => {
    const held = new Map<string, number>()
    for (const { hostId, user, seats } of holders)
      if (hostId === row.hostId) {
        // Names are compared in lower case, and as pseudonyms also before the job has replaced those that are stored.
        const name = rename(user).toLowerCase()
        held.set(name, (held.get(name) ?? 0) + seats)
      }
    const { seats, free, isUncounted } = toSeatsNow(row, now)
    return {
      serverId: row.hostId,
      serverName: row.hostName,
      seats,
      free,
      isUncounted,
      // The time of a report never goes back, so after a clock was set back it is ahead of the report.
      reportedAt: row.hostId === reporting ? now : row.reportedAt,
      held: isKnown(row, now) ? held : null,
    }
  })
}
