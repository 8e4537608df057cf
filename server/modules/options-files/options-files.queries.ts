import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'

export type FileKey = { readonly customerNumber: string; readonly hostId: string; readonly daemon: string }
type FileRow = Selectable<DB['options_file']>
export type VersionRow = Selectable<DB['options_file_version']>
export type ReservationRow = Selectable<DB['options_reservation']>
export type InstallRow = Selectable<DB['options_install']>

const rowKey = ({ customerNumber, hostId, daemon }: FileKey) => ({
  customer_number: customerNumber,
  host_id: hostId,
  daemon,
})

export async function listDaemons(db: Kysely<DB>, customerNumber: string, hostId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('options_file')
    .select('daemon')
    .where('customer_number', '=', customerNumber)
    .where('host_id', '=', hostId)
    .execute()
  return rows.map(({ daemon }) => daemon)
}

const filesOf = (db: Kysely<DB>, key: FileKey) =>
  db
    .selectFrom('options_file')
    .selectAll()
    .where('customer_number', '=', key.customerNumber)
    .where('host_id', '=', key.hostId)
    .where('daemon', '=', key.daemon)

export const findOptionsFile = (db: Kysely<DB>, key: FileKey): Promise<FileRow | undefined> =>
  filesOf(db, key).executeTakeFirst()

/** Whoever changes the text or a reservation waits for others who do. */
export const lockOptionsFile = (tx: Transaction<DB>, key: FileKey): Promise<FileRow | undefined> =>
  filesOf(tx, key).forUpdate().executeTakeFirst()

/** False if somebody else has just made it. */
export async function insertOptionsFile(tx: Transaction<DB>, key: FileKey): Promise<boolean> {
  const row = await tx
    .insertInto('options_file')
    .values({ ...rowKey(key), version: 1, edition: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .returning('version')
    .executeTakeFirst()
  return row !== undefined
}

/** Counts a change of a file that is locked, and the next version if its text changed. */
export async function countChange(tx: Transaction<DB>, key: FileKey, newVersions: 0 | 1): Promise<void> {
  await sql`
    update options_file set edition = edition + 1, version = version + ${newVersions}
     where customer_number = ${key.customerNumber} and host_id = ${key.hostId} and daemon = ${key.daemon}`.execute(tx)
}

type VersionContent = Omit<Insertable<DB['options_file_version']>, keyof ReturnType<typeof rowKey>>

export async function insertVersion(tx: Transaction<DB>, key: FileKey, content: VersionContent): Promise<void> {
  await tx
    .insertInto('options_file_version')
    .values({ ...rowKey(key), ...content })
    .execute()
}

const MAX_VERSIONS = 200

/** The newest first, without their texts. */
export const listVersions = (db: Kysely<DB>, key: FileKey): Promise<Omit<VersionRow, 'text'>[]> =>
  db
    .selectFrom('options_file_version')
    .select(['customer_number', 'host_id', 'daemon', 'version', 'restored_from', 'saved_by', 'saved_at'])
    .where('customer_number', '=', key.customerNumber)
    .where('host_id', '=', key.hostId)
    .where('daemon', '=', key.daemon)
    .orderBy('version', 'desc')
    .limit(MAX_VERSIONS)
    .execute()

export const findVersion = (db: Kysely<DB>, key: FileKey, version: number): Promise<VersionRow | undefined> =>
  db
    .selectFrom('options_file_version')
    .selectAll()
    .where('customer_number', '=', key.customerNumber)
    .where('host_id', '=', key.hostId)
    .where('daemon', '=', key.daemon)
    .where('version', '=', version)
    .executeTakeFirst()

/** Those that are not over on a day, the earliest first. */
export const listReservations = (db: Kysely<DB>, key: FileKey, from: CalendarDay): Promise<ReservationRow[]> =>
  db
    .selectFrom('options_reservation')
    .selectAll()
    .where('customer_number', '=', key.customerNumber)
    .where('host_id', '=', key.hostId)
    .where('daemon', '=', key.daemon)
    .where('last_day', '>=', from)
    .orderBy('first_day')
    .orderBy('feature')
    .orderBy('group_name')
    .orderBy('reservation_id')
    .execute()

export const findReservation = (db: Kysely<DB>, key: FileKey, id: string): Promise<ReservationRow | undefined> =>
  db
    .selectFrom('options_reservation')
    .selectAll()
    .where('customer_number', '=', key.customerNumber)
    .where('host_id', '=', key.hostId)
    .where('daemon', '=', key.daemon)
    .where('reservation_id', '=', id)
    .executeTakeFirst()

type ReservationContent = Omit<
  Insertable<DB['options_reservation']>,
  keyof ReturnType<typeof rowKey> | 'reservation_id'
>

/** Inserts a reservation, or changes the one with this id. Its file is locked. */
export const saveReservationRow = (
  tx: Transaction<DB>,
  key: FileKey,
  id: string,
  content: ReservationContent & { readonly revision: number },
): Promise<ReservationRow> =>
  tx
    .insertInto('options_reservation')
    .values({ ...rowKey(key), reservation_id: id, ...content })
    .onConflict((conflict) =>
      conflict.columns(['customer_number', 'host_id', 'daemon', 'reservation_id']).doUpdateSet(content),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteReservation = (tx: Transaction<DB>, key: FileKey, id: string): Promise<ReservationRow | undefined> =>
  tx
    .deleteFrom('options_reservation')
    .where('customer_number', '=', key.customerNumber)
    .where('host_id', '=', key.hostId)
    .where('daemon', '=', key.daemon)
    .where('reservation_id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const listInstalls = (db: Kysely<DB>, key: FileKey): Promise<InstallRow[]> =>
  db
    .selectFrom('options_install')
    .selectAll()
    .where('customer_number', '=', key.customerNumber)
    .where('host_id', '=', key.hostId)
    .where('daemon', '=', key.daemon)
    .orderBy('machine')
    .execute()

/** A triad has three. A collector in a container may have another name with every start. */
const MAX_MACHINES = 20

type InstallContent = Omit<Insertable<DB['options_install']>, keyof ReturnType<typeof rowKey>>

/** Replaces what the machine reported before. Machines that reported longest ago are forgotten. */
export async function saveInstall(tx: Transaction<DB>, key: FileKey, content: InstallContent): Promise<void> {
  await tx
    .insertInto('options_install')
    .values({ ...rowKey(key), ...content })
    .onConflict((conflict) =>
      conflict.columns(['customer_number', 'host_id', 'daemon', 'machine']).doUpdateSet(content),
    )
    .execute()
  await sql`
    delete from options_install i
     where i.customer_number = ${key.customerNumber} and i.host_id = ${key.hostId} and i.daemon = ${key.daemon}
       and i.machine in (
         select machine from options_install
          where customer_number = ${key.customerNumber} and host_id = ${key.hostId} and daemon = ${key.daemon}
          order by reported_at desc, machine offset ${MAX_MACHINES})`.execute(tx)
}
