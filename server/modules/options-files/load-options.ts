import type { Kysely } from 'kysely'
import type { SavedReservation } from '#contract/options-files/options-files.ts'
import type { Actor } from '#domain/access/standing.ts'
import { type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import type { ServedFeature } from '#domain/options-files/check-options.ts'
import { optionsFileOfDay } from '#domain/options-files/reservations.ts'
import { featuresOfDaemon, servedFeatures } from '#domain/options-files/served-features.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { findLicenseText } from '#server/modules/activations/activations.public.ts'
import { listReportedFeatures, requireHost } from '#server/modules/license-use/license-use.public.ts'
import {
  type FileKey,
  findOptionsFile,
  findVersion,
  listDaemons,
  listReservations,
  type ReservationRow,
} from '#server/modules/options-files/options-files.queries.ts'

type Named = {
  readonly actor: Actor
  readonly db: Kysely<DB>
  readonly now: Date
  readonly timeZone: string
  readonly standing: { readonly customerNumber: string }
}

export type KnownDaemon = {
  readonly key: FileKey
  readonly serverName: string
  readonly daemons: readonly string[]
  readonly features: readonly ServedFeature[]
  /** Of the account. */
  readonly today: CalendarDay
}

/** The vendor daemons of a license server: those of its license file, and those that have an options file. The first one, unless another is named. */
export async function findDaemon(
  { actor, db, now, timeZone, standing: { customerNumber } }: Named,
  serverId: string,
  wanted: string | undefined,
): Promise<Pick<KnownDaemon, 'serverName' | 'daemons'> & { readonly known: KnownDaemon | undefined }> {
  const { hostId, hostName } = await requireHost(db, customerNumber, serverId)
  const today = dayIn(timeZone, now)
  const served = servedFeatures((await findLicenseText(db, actor, customerNumber, hostId)) ?? '', today)
  const daemons = [...new Set([...served.keys(), ...(await listDaemons(db, customerNumber, hostId))])]
  const daemon = wanted ?? daemons[0]
  if (daemon === undefined) return { serverName: hostName, daemons, known: undefined }
  if (!daemons.includes(daemon)) throw new HttpError(404, `This license server has no vendor daemon ${daemon}`)
  const reported = await listReportedFeatures(db, { customerNumber, hostId })
  const features = featuresOfDaemon(
    served,
    daemon,
    reported.map((one) => ({ ...one, versions: [] })),
  )
  const known = { key: { customerNumber, hostId, daemon }, serverName: hostName, daemons, features, today }
  return { serverName: hostName, daemons, known }
}

export async function requireDaemon(call: Named, serverId: string, daemon: string): Promise<KnownDaemon> {
  const { known } = await findDaemon(call, serverId, daemon)
  if (!known) throw new HttpError(404, `This license server has no vendor daemon ${daemon}`)
  return known
}

export const toReservation = (row: ReservationRow): SavedReservation => ({
  id: row.reservation_id,
  feature: row.feature,
  group: row.group_name,
  seats: row.seats,
  from: row.first_day,
  to: row.last_day,
  weekdays: row.weekdays,
  savedBy: row.saved_by,
  savedAt: row.saved_at.toISOString(),
  revision: row.revision,
})

/** What is stored of an options file, and the file that follows from it today. */
export async function loadStored(db: Kysely<DB>, { key, today }: Pick<KnownDaemon, 'key' | 'today'>) {
  const file = await findOptionsFile(db, key)
  const version = file && (await findVersion(db, key, file.version))
  const reservations = (await listReservations(db, key, today)).map(toReservation)
  const text = version?.text ?? ''
  return { file, text, reservations, todayText: optionsFileOfDay(text, reservations, today) }
}
