import type { Kysely } from 'kysely'
import type { FreeSeats, getFreeSeats as operation } from '#contract/license-use/license-use.ts'
import { isOldReport, silentBefore } from '#domain/license-use/use/silence.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { type FreeRow, listFree } from '#server/modules/license-use/use/use.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** Whether seats of a feature are free now, by the last reports. Seats that are not known are not free. */
export async function loadFree(
  db: Kysely<DB>,
  customerNumber: string,
  feature: string,
  { wanted, now }: { readonly wanted: number; readonly now: Date },
): Promise<FreeSeats> {
  const rows = await requireFeature(db, customerNumber, feature)
  const servers = rows.map((row) => ({
    serverId: row.hostId,
    serverName: row.hostName,
    ...toSeatsNow(row, now),
    asOf: row.asOf,
    reportedAt: row.reportedAt.toISOString(),
  }))
  const known = servers.flatMap(({ free }) => (free === null ? [] : [free]))
  return {
    feature,
    isFree: servers.some(({ free, isUncounted }) => isUncounted || (free !== null && free >= wanted)),
    free: known.length ? known.reduce((sum, free) => sum + free, 0) : null,
    servers,
  }
}

/** The license servers that have or had seats of a feature. */
export async function requireFeature(db: Kysely<DB>, customerNumber: string, feature: string): Promise<FreeRow[]> {
  const rows = await listFree(db, customerNumber, feature)
  if (!rows.length) throw new HttpError(404, `No license server of this account has reported the feature ${feature}`)
  return rows
}

export function toSeatsNow(row: FreeRow, now: Date) {
  const { seatLimit, reserved, denied } = row
  const inUse = isKnown(row, now) ? row.inUse : null
  const free = seatLimit === null || inUse === null ? null : seatLimit - Math.max(inUse, reserved)
  return {
    seats: seatLimit,
    inUse,
    isUncounted: row.state === 'uncounted' && isKnown(row, now),
    // lmstat counts reserved seats that nobody holds as in use.
    free: free === null ? null : Math.max(0, Math.min(free, denied === null ? free : denied - 1)),
  }
}

/** Whether the last reports of a license server say how many seats of a feature are in use. */
export function isKnown({ state, hasStatus, statusError, asOf, reportedAt }: FreeRow, now: Date): boolean {
  if (reportedAt < silentBefore(now) || asOf === null || isOldReport(asOf, now) || statusError !== null) return false
  return hasStatus ? state === 'counted' || state === 'uncounted' : true
}

export async function getFreeSeats(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { db, now, query, standing } = call
  return { data: await loadFree(db, standing.customerNumber, query.feature, { wanted: query.seats ?? 1, now }) }
}
