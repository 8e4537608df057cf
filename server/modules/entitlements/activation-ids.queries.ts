import { type Kysely, sql, type Transaction } from 'kysely'
import type { Row } from '#server/data/record-table.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'

/** An activation id belongs to one account. Claim it in the transaction that adds the entitlement, or that is refused. */
export async function claimActivationIds(
  db: Kysely<DB>,
  entitlements: readonly { readonly customer_number: string; readonly activation_id: string }[],
): Promise<void> {
  const claims = JSON.stringify(entitlements, ['customer_number', 'activation_id'])
  await sql`
    insert into activation_owner (activation_id, customer_number)
    select activation_id, customer_number from json_populate_recordset(null::activation_owner, ${claims}::json)`.execute(
    db,
  )
}

/** Claims the activation ids of records that are free, and refuses records whose id belongs to another account. */
export async function refuseForeignActivations(tx: Transaction<DB>, rows: readonly Row[]): Promise<Map<Row, Refusal>> {
  if (rows.length === 0) return new Map()
  const known = await ownersOf(tx, rows)
  const free = rows.filter(({ activationId }) => !known.has(String(activationId)))
  const owners = new Map([...known, ...(await claimFree(tx, free))])
  const foreign = rows.filter((row) => owners.get(String(row.activationId)) !== row.customerNumber)
  return new Map(foreign.map((row) => [row, OTHER_ACCOUNT]))
}

/** Locks in the order of the ids to avoid deadlocks. Returns the owners: another batch may have been faster. */
async function claimFree(tx: Transaction<DB>, rows: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map()
  const { rows: claimed } = await sql<Owner>`
    insert into activation_owner (activation_id, customer_number)
    select k.activation_id, k.customer_number
      from unnest(${activationIds(rows)}::text[], ${rows.map(({ customerNumber }) => customerNumber)}::text[])
           as k (activation_id, customer_number)
     order by k.activation_id collate "C" on conflict do nothing
    returning activation_id, customer_number`.execute(tx)
  return claimed.length === rows.length ? toOwners(claimed) : ownersOf(tx, rows)
}

type Owner = { activation_id: string; customer_number: string }
const toOwners = (owners: readonly Owner[]) =>
  new Map(owners.map(({ activation_id, customer_number }) => [activation_id, customer_number]))

const OTHER_ACCOUNT = refusal('OTHER_ACCOUNT', 'The activation id belongs to another account.')

const activationIds = (rows: readonly Row[]) => rows.map(({ activationId }) => String(activationId))

async function ownersOf(db: Kysely<DB>, rows: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  const { rows: owners } = await sql<Owner>`
    select activation_id, customer_number from activation_owner
     where activation_id = any (${activationIds(rows)})`.execute(db)
  return toOwners(owners)
}

/** The keys with the accounts that they belong to. */
export async function locateActivations(db: Kysely<DB>, keys: readonly Row[]): Promise<Row[]> {
  const owners = await ownersOf(db, keys)
  return keys.flatMap((key) => {
    const customerNumber = owners.get(String(key.activationId))
    return customerNumber === undefined ? [] : [{ ...key, customerNumber }]
  })
}
