import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { LicensedActivation } from '#domain/activations/license-files/license-text.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { type HostRow, isOnMachine, type Machine } from '#server/modules/activations/hosts/hosts.queries.ts'
import { catalogProducts } from '#server/modules/catalog/catalog.public.ts'
import { soldEntitlements } from '#server/modules/entitlements/entitlements.public.ts'

export type LicenseFileRow = Selectable<DB['license_file']>

/** A product that is not in the catalog has no daemon. */
export type SeatedActivation = Omit<LicensedActivation, 'daemon'> & { readonly daemon: string | null }

export type CustomerSeats = {
  customer_number: string
  /** The number of ledger rows of this customer on the machine. */
  ledger_rows: number
  /** How often the entitlements with seats there have changed. */
  license_changes: number
  /** How often their products have changed in the catalog. */
  product_changes: number
  activations: SeatedActivation[]
}

const licensedJson = sql`json_build_object(
  'customerNumber', e.customer_number, 'activationId', e.activation_id, 'product', e.product_name,
  'daemon', p.daemon, 'features', p.feature_names, 'isNodeLockedProduct', p.is_node_locked,
  'licenseModel', e.license_model, 'startDate', e.start_date, 'endDate', e.end_date, 'versionDate', e.version_date`

/** Seats of customers on a machine and the lengths of their ledgers, in the order of the customers. */
export async function loadSeats(
  db: Kysely<DB>,
  customerNumbers: readonly string[],
  machine: Machine,
): Promise<CustomerSeats[]> {
  const seats: CustomerSeats[] = []
  for (const customerNumber of [...customerNumbers].sort()) seats.push(await loadOwnSeats(db, customerNumber, machine))
  return seats
}

/** Seats and the length of the ledger are read by one statement, so that they fit together. */
async function loadOwnSeats(db: Kysely<DB>, customerNumber: string, machine: Machine): Promise<CustomerSeats> {
  const { rows } = await sql<CustomerSeats>`
    select ${customerNumber}::text as customer_number,
           (select count(*)::int from fulfillment f where ${isOnMachine('f', customerNumber, machine)}) as ledger_rows,
           coalesce(sum(e.license_changes), 0)::int as license_changes,
           coalesce(sum(p.license_changes), 0)::int as product_changes,
           coalesce(json_agg(${licensedJson}, 'seats', s.seats)), '[]') as activations
      from host_seats s join ${soldEntitlements} e using (activation_id)
      left join ${catalogProducts} p using (part_number)
     where ${isOnMachine('s', customerNumber, machine)} and e.customer_number = ${customerNumber} and s.seats > 0`.execute(
    db,
  )
  if (!rows[0]) throw new Error('an aggregate without a row')
  return rows[0]
}

/** License details of entitlements without seats, which need not be on any host. */
export async function loadUnseated(
  db: Kysely<DB>,
  customerNumber: string,
  activationIds: readonly string[],
): Promise<SeatedActivation[]> {
  const { rows } = await sql<{ activation: SeatedActivation }>`
    select ${licensedJson}, 'seats', 0) as activation
      from ${soldEntitlements} e left join ${catalogProducts} p using (part_number)
     where e.customer_number = ${customerNumber} and e.activation_id = any (${[...activationIds]})`.execute(db)
  return rows.map(({ activation }) => activation)
}

export async function insertLicenseFile(
  tx: Transaction<DB>,
  row: Insertable<DB['license_file']>,
): Promise<LicenseFileRow> {
  return tx.insertInto('license_file').values(row).returningAll().executeTakeFirstOrThrow()
}

const filesOf = (db: Kysely<DB>, host: HostRow) =>
  db
    .selectFrom('license_file')
    .where('customer_number', '=', host.customer_number)
    .where('host_id_type', '=', host.host_id_type)
    .where('host_id', '=', host.host_id)
    .orderBy('position', 'desc')

export function findLastFile(db: Kysely<DB>, host: HostRow): Promise<LicenseFileRow | undefined> {
  return filesOf(db, host).selectAll().limit(1).executeTakeFirst()
}

/** The latest issue date of the files that customers have for a machine. */
export async function findLastIssued(
  db: Kysely<DB>,
  customerNumbers: readonly string[],
  machine: Machine,
): Promise<CalendarDay | undefined> {
  const days: CalendarDay[] = []
  for (const customerNumber of customerNumbers) {
    const { last } = await db
      .selectFrom('license_file as f')
      .select(({ fn }) => fn.max('f.issued_on').as('last'))
      .where(isOnMachine('f', customerNumber, machine))
      .executeTakeFirstOrThrow()
    if (last !== null) days.push(last)
  }
  return days.sort().at(-1)
}

/** Maximum number of files in the list of a host. */
const MAX_FILES = 200

export function listFiles(db: Kysely<DB>, host: HostRow): Promise<LicenseFileRow[]> {
  return filesOf(db, host).selectAll().limit(MAX_FILES).execute()
}

/** Maximum number of files that a text is compared with: enough to find the one that it was made from. */
const MAX_LIKE = 20

/** Files of these customers for these hosts; one that is exactly this text comes first, then the newest. */
export function findFilesLike(
  db: Kysely<DB>,
  customerNumbers: readonly string[],
  hostIds: readonly string[],
  text: string,
): Promise<LicenseFileRow[]> {
  return db
    .selectFrom('license_file')
    .selectAll()
    .where('customer_number', 'in', [...customerNumbers, ''])
    .where('host_id', 'in', [...hostIds, ''])
    .orderBy(sql`(own_text = ${text} or coalesce(shared_text, '') = ${text})`, 'desc')
    .orderBy('position', 'desc')
    .limit(MAX_LIKE)
    .execute()
}

/** The author and time of each file of a host, without its text. */
export function listFileFacts(
  db: Kysely<DB>,
  host: HostRow,
  limit: number,
): Promise<Pick<LicenseFileRow, 'file_id' | 'generated_at' | 'generated_by'>[]> {
  return filesOf(db, host).select(['file_id', 'generated_at', 'generated_by']).limit(limit).execute()
}

export function findFile(db: Kysely<DB>, customerNumber: string, fileId: string): Promise<LicenseFileRow | undefined> {
  return db
    .selectFrom('license_file')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('file_id', '=', fileId)
    .executeTakeFirst()
}
