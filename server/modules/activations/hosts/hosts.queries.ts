import {
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { HostIdType } from '#domain/entitlements/fulfillment.ts'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'
import { catalogProducts } from '#server/modules/catalog/catalog.public.ts'
import { soldEntitlements } from '#server/modules/entitlements/entitlements.public.ts'

/** How often entitlements `e` and their products `p` have changed, in the format of `madeFromText`. */
const licenseChanges = sql`coalesce('+' || nullif(sum(e.license_changes), 0), '')
  || coalesce('/' || nullif(sum(p.license_changes), 0), '')`

/** The machine, or the three machines of a triad, that a call names, independent of the order of the ids. */
export type Machine = { readonly hostIdType: HostIdType; readonly machineId: string }

/** A machine, with the values that only the caller knows for a new host. */
export type NamedHost = Machine & { readonly hostId: string; readonly hostName: string; readonly port: number }

export type HostRow = Selectable<DB['host']>

/** Finds a host, also a deleted one: adding it again restores it as it was. */
export function findHost(db: Kysely<DB>, customerNumber: string, machine: Machine): Promise<HostRow | undefined> {
  return hostRow(db, customerNumber, machine).executeTakeFirst()
}

/** The hosts, other than deleted ones, all of whose ids are among these. */
export async function findHostIds(db: Kysely<DB>, customerNumber: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('host')
    .select('host_id')
    .where('customer_number', '=', customerNumber)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`string_to_array(host_id, ',') <@ ${[...ids]}::text[]`)
    .execute()
  return rows.map((row) => row.host_id)
}

/** The triad that has this id as one of its three. A deleted one only where no other has it. */
export async function findTriadWith(
  db: Kysely<DB>,
  customerNumber: string,
  { hostIdType, machineId }: Machine,
): Promise<Machine | undefined> {
  const row = await db
    .selectFrom('host')
    .select('machine_id')
    .where('customer_number', '=', customerNumber)
    .where('host_id_type', '=', hostIdType)
    .where(sql<boolean>`string_to_array(machine_id, ',') @> array[${machineId}]::text[]`)
    .orderBy(sql`removed_at is not null`)
    .orderBy('host_name')
    .orderBy('machine_id')
    .limit(1)
    .executeTakeFirst()
  return row && { hostIdType, machineId: row.machine_id }
}

function hostRow(db: Kysely<DB>, customerNumber: string, machine: Machine) {
  return db
    .selectFrom('host')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('host_id_type', '=', machine.hostIdType)
    .where('machine_id', '=', machine.machineId)
}

/**
 * Adds a host unless the account has it; waits for a transaction that is adding the same one. A deleted host is
 * restored. Until the end of the transaction nobody can delete it.
 */
export async function ensureHost(
  tx: Transaction<DB>,
  customerNumber: string,
  host: NamedHost,
  now: Date,
): Promise<HostRow> {
  const known = await findKeptHost(tx, customerNumber, host)
  if (known) return known
  await tx
    .insertInto('host')
    .values({
      customer_number: customerNumber,
      host_id_type: host.hostIdType,
      host_id: host.hostId,
      host_name: host.hostName,
      port: host.port,
      added_at: now,
    })
    .onConflict((conflict) => conflict.columns(['customer_number', 'host_id_type', 'machine_id']).doNothing())
    .execute()
  const added = await findKeptHost(tx, customerNumber, host)
  if (!added) throw new Error(`The host ${host.hostId} was neither added nor found`)
  return added
}

async function findKeptHost(tx: Transaction<DB>, customerNumber: string, machine: Machine) {
  const known = await hostRow(tx, customerNumber, machine).forKeyShare().executeTakeFirst()
  if (!known?.removed_at) return known
  await updateHost(tx, known, { removed_at: null })
  return { ...known, removed_at: null }
}

/** Locks a host, so that nobody activates seats on it in the meantime. */
export function lockHost(tx: Transaction<DB>, customerNumber: string, machine: Machine): Promise<HostRow | undefined> {
  return hostRow(tx, customerNumber, machine).where('removed_at', 'is', null).forUpdate().executeTakeFirst()
}

export async function removeHost(tx: Transaction<DB>, host: HostRow, now: Date): Promise<void> {
  await updateHost(tx, host, { removed_at: now })
}

/** Seats that a host holds now, and whether it ever held any. */
export async function loadHostUse(db: Kysely<DB>, host: HostRow): Promise<{ now: number; everActivated: boolean }> {
  const { rows } = await sql<{ now: number; ever: boolean }>`
    select coalesce(sum(seats), 0)::int as now, count(*) > 0 as ever from host_seats
     where customer_number = ${host.customer_number} and host_id_type = ${host.host_id_type}
       and host_id = ${host.host_id}`.execute(db)
  return { now: rows[0]?.now ?? 0, everActivated: rows[0]?.ever ?? false }
}

export async function saveBorrowable(tx: Transaction<DB>, host: HostRow, isBorrowable: boolean): Promise<void> {
  await updateHost(tx, host, { is_borrowable: isBorrowable })
}

async function updateHost(tx: Transaction<DB>, host: HostRow, change: Updateable<DB['host']>): Promise<void> {
  await tx
    .updateTable('host')
    .set(change)
    .where('customer_number', '=', host.customer_number)
    .where('host_id_type', '=', host.host_id_type)
    .where('host_id', '=', host.host_id)
    .execute()
}

/** A host of an account with its seats and its last license file. */
export type ServerRow = {
  host_id: string
  host_name: string
  host_id_type: HostIdType
  port: number
  is_borrowable: boolean
  is_shared: boolean
  seats: number
  /** Seats that have not expired. */
  usable_seats: number
  ledger_rows: number
  removed_at: Date | null
  generated_at: Date | null
  generated_by: string | null
  first_end: CalendarDay | null
  is_changed_since: boolean
}

/** All hosts of an account but deleted ones, or the given one, deleted or not. Sums and lengths of the ledger are taken once for the whole account. */
export async function listServerRows(
  db: Kysely<DB>,
  customerNumber: string,
  today: CalendarDay,
  only?: Machine,
): Promise<ServerRow[]> {
  const groups = joinGroups(customerNumber, await isSharingServers(db, customerNumber))
  const isListed = only
    ? sql<SqlBool>`h.host_id_type = ${only.hostIdType} and h.machine_id = ${only.machineId}`
    : sql<SqlBool>`h.removed_at is null`
  const { rows } = await sql<ServerRow>`
    with seats as (
      select s.host_id_type, s.host_id, sum(s.seats)::int as seats,
             coalesce(sum(s.seats) filter (where e.ends_on >= ${today}::date), 0)::int as usable_seats,
             ${licenseChanges} as changes
        from host_seats s join ${soldEntitlements} e using (activation_id)
        left join ${catalogProducts} p using (part_number)
       where s.customer_number = ${customerNumber} and e.customer_number = ${customerNumber} and s.seats > 0
       group by 1, 2),
    ledger as (
      select host_id_type, host_id, count(*)::int as length from fulfillment
       where customer_number = ${customerNumber} group by 1, 2),
    files as (
      select distinct on (host_id_type, host_id) host_id_type, host_id, generated_at, generated_by, first_end, made_from
        from license_file where customer_number = ${customerNumber}
       order by host_id_type, host_id, position desc)
    select h.host_id, h.host_name, h.host_id_type, h.port, h.is_borrowable, g.parts is not null as is_shared,
           coalesce(s.seats, 0) as seats, coalesce(s.usable_seats, 0) as usable_seats,
           coalesce(l.length, 0) as ledger_rows, h.removed_at, f.generated_at, f.generated_by, f.first_end,
           f.made_from is distinct from coalesce(g.parts,
             h.customer_number || ':' || coalesce(l.length, 0) || coalesce(s.changes, '')) as is_changed_since
      from host h
      left join seats s on s.host_id_type = h.host_id_type and s.host_id = h.host_id
      left join ledger l on l.host_id_type = h.host_id_type and l.host_id = h.host_id
      left join files f on f.host_id_type = h.host_id_type and f.host_id = h.host_id
      ${groups}
     where h.customer_number = ${customerNumber} and ${isListed}`.execute(db)
  return rows
}

/** The ids of hosts that hold seats of a lease whose last day is not after the given one. */
export const hostsEnding = (customerNumber: string, lastDay: CalendarDay) => sql`
  select s.host_id_type, s.host_id
    from host_seats s join ${soldEntitlements} e using (activation_id)
   where s.customer_number = ${customerNumber} and e.customer_number = ${customerNumber} and s.seats > 0
     and e.ends_on <= ${lastDay}::date`

export async function listHostsEnding(
  db: Kysely<DB>,
  customerNumber: string,
  lastDay: CalendarDay,
): Promise<HostRow[]> {
  const { rows } = await sql<HostRow>`
    select h.* from host h
     where h.customer_number = ${customerNumber} and (h.host_id_type, h.host_id) in (${hostsEnding(customerNumber, lastDay)})
     order by h.host_name, h.host_id`.execute(db)
  return rows
}

/**
 * Whether the license file of `host h ${joinGroups(…)}` is out of date: the SQL side of `isOutOfDate`. For the hosts of a
 * page; where all hosts of an account are asked for, `listServerRows` is faster.
 */
export function isFileOutOfDate(customerNumber: string, today: CalendarDay): RawBuilder<SqlBool> {
  const ofHost = (alias: string) => sql`${sql.ref(alias)}.customer_number = ${customerNumber}
    and ${sql.ref(alias)}.host_id_type = h.host_id_type and ${sql.ref(alias)}.host_id = h.host_id`
  return sql<SqlBool>`
    exists (select 1 from host_seats s join ${soldEntitlements} e using (activation_id)
             where ${ofHost('s')} and s.seats > 0 and e.customer_number = ${customerNumber} and e.ends_on >= ${today}::date)
    and coalesce((
      select coalesce(f.first_end < ${today}::date, false) or f.made_from is distinct from coalesce(g.parts,
               h.customer_number || ':' || (select count(*) from fulfillment l where ${ofHost('l')})
               || ${licenseChangesOn(ofHost('s'), sql`${customerNumber}`)})
        from license_file f where ${ofHost('f')} order by f.position desc limit 1), true)`
}

/** How often entitlements with seats on a host have changed: while the ledger has the same length, they are the same ones. */
function licenseChangesOn(isOfHost: RawBuilder<unknown>, customerNumber: RawBuilder<unknown>) {
  return sql`(select ${licenseChanges}
    from host_seats s join ${soldEntitlements} e using (activation_id)
    left join ${catalogProducts} p using (part_number)
   where ${isOfHost} and e.customer_number = ${customerNumber} and s.seats > 0)`
}

/**
 * Whether an account shares a license server. If not, statements about it read nothing of other customers, whose rows may be
 * on other nodes.
 */
export async function isSharingServers(db: Kysely<DB>, customerNumber: string): Promise<boolean> {
  const found = await db
    .selectFrom('shared_server_member')
    .select('group_id')
    .where('customer_number', '=', customerNumber)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Joins to `host h` as `g.parts` what `license_file.made_from` of a shared server would be now, as `madeFromText` writes it;
 * null for any other. Of other customers it takes how often ledgers and entitlements changed, nothing else.
 */
export function joinGroups(customerNumber: string, isSharing: boolean): RawBuilder<unknown> {
  if (!isSharing) return sql`cross join (select null::text as parts) g`
  const ofMember = (alias: string) =>
    sql.raw(`${alias}.customer_number = o.customer_number and ${alias}.host_id_type = o.host_id_type
      and ${alias}.host_id = o.host_id`)
  const members = sql`shared_server_member m join shared_server_member g using (group_id)`
  return sql`
    left join (
      select m.host_id_type, m.machine_id,
             string_agg(g.customer_number || ':' || coalesce(o.part, '0'), ',' order by g.customer_number) as parts
        from ${members}
        left join (
          select o.customer_number, o.host_id_type, o.machine_id,
                 (select count(*) from fulfillment l where ${ofMember('l')})
                 || ${licenseChangesOn(ofMember('s'), sql`o.customer_number`)} as part
            from ${members} join host o on o.customer_number = g.customer_number and o.host_id_type = g.host_id_type
             and o.machine_id = g.machine_id
           where m.customer_number = ${customerNumber}) o
          on o.customer_number = g.customer_number and o.host_id_type = g.host_id_type and o.machine_id = g.machine_id
       where m.customer_number = ${customerNumber}
       group by 1, 2) g on g.host_id_type = h.host_id_type and g.machine_id = h.machine_id`
}

/** The rows of `${alias}` that a customer has on a machine. */
export function isOnMachine(alias: string, customerNumber: string, { hostIdType, machineId }: Machine) {
  const of = sql.ref(alias)
  return sql<SqlBool>`${of}.customer_number = ${customerNumber} and (${of}.host_id_type, ${of}.host_id) in (
    select o.host_id_type, o.host_id from host o
     where o.customer_number = ${customerNumber} and o.host_id_type = ${hostIdType} and o.machine_id = ${machineId})`
}

export type SeatsOnHost = { host_name: string; host_id: string; host_id_type: HostIdType; seats: number }

/** Hosts that hold seats of one activation; undefined if the account has no such activation. */
export async function listHostsWithSeats(
  db: Kysely<DB>,
  customerNumber: string,
  activationId: string,
): Promise<SeatsOnHost[] | undefined> {
  const { rows } = await sql<{ hosts: SeatsOnHost[] }>`
    select coalesce((
      select json_agg(json_build_object(
               'host_name', h.host_name, 'host_id', h.host_id, 'host_id_type', h.host_id_type, 'seats', s.seats)
             order by s.seats desc, h.host_name, h.host_id)
        from host_seats s join host h using (host_id_type, host_id)
       where s.customer_number = ${customerNumber} and h.customer_number = ${customerNumber}
         and s.activation_id = ${activationId} and s.seats > 0
    ), '[]') as hosts
      from ${soldEntitlements} e
     where e.customer_number = ${customerNumber} and e.activation_id = ${activationId}
       and ${isListedEntitlement}`.execute(db)
  return rows[0]?.hosts
}
