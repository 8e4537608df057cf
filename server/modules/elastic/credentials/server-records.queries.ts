import { type Kysely, sql, type Transaction } from 'kysely'
import { elasticServerRecords } from '#contract/data/elastic-servers.ts'
import { fixInstants } from '#server/data/fixed-values.ts'
import { recordData } from '#server/data/record-data.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import { revokeByDeleting } from '#server/data/revoke-records.ts'
import type { RecordRules } from '#server/data/save-records.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'
import { refuseUnknownAccounts } from '#server/modules/accounts/accounts.public.ts'

const rules: RecordRules = {
  kind: elasticServerRecords,
  table: {
    table: 'elastic_server',
    key: ['customerNumber', 'serverId'],
    lock: 'update',
    fields: {
      serverId: { column: 'device_id', type: 'text' },
      customerNumber: { column: 'customer_number', type: 'text' },
      alias: { column: 'alias', type: 'text' },
      createdAt: { column: 'created_at', type: 'timestamptz' },
    },
  },
  read: (row) => ({ row: fixInstants(row, ['createdAt']) }),
  async locate(db, keys) {
    const owners = await ownersOf(db, keys)
    return keys.flatMap((key) => {
      const customerNumber = owners.get(String(key.serverId))
      return customerNumber === undefined ? [] : [{ ...key, customerNumber }]
    })
  },
  prepare: async (tx, rows, { now }) => ({
    refusals: await refuseUnknownAccounts(tx, rows),
    defaults: () => ({ createdAt: now.toISOString() }),
  }),
  async claim(tx, rows) {
    await claimFree(tx, rows)
    const owners = await ownersOf(tx, rows)
    const foreign = rows.filter((row) => owners.get(String(row.serverId)) !== row.customerNumber)
    return new Map(foreign.map((row) => [row, OTHER_ACCOUNT]))
  },
}

const OTHER_ACCOUNT = refusal('OTHER_ACCOUNT', 'The server belongs to another account.')
const serverIds = (rows: readonly Row[]) => rows.map(({ serverId }) => String(serverId))

async function claimFree(tx: Transaction<DB>, rows: readonly Row[]): Promise<void> {
  await sql`
    insert into device_owner (device_id, customer_number)
    select k.device_id, k.customer_number
      from unnest(${serverIds(rows)}::text[], ${rows.map((row) => row.customerNumber)}::text[])
           as k (device_id, customer_number)
     order by 1 on conflict do nothing`.execute(tx)
}

async function ownersOf(db: Kysely<DB>, rows: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  const { rows: owners } = await sql<{ device_id: string; customer_number: string }>`
    select device_id, customer_number from device_owner where device_id = any (${serverIds(rows)})`.execute(db)
  return new Map(owners.map(({ device_id, customer_number }) => [device_id, customer_number]))
}

export const elasticServerData = recordData(rules, async (tx, ids, context) => {
  const outcomes = await revokeByDeleting(tx, ids, context, rules, async (_tx, rows) => {
    const refusals = await inUse(tx, rows)
    await deleteCredentials(
      tx,
      rows.filter((row) => !refusals.has(row)),
    )
    return refusals
  })
  const removed = outcomes.filter(({ result }) => result === 'removed').map(({ key }) => key)
  await sql`delete from device_owner where device_id = any (${removed})`.execute(tx)
  return outcomes
})

/** Servers from which usage has arrived, on which sessions run, or whose PIN was tried. */
async function inUse(tx: Transaction<DB>, rows: readonly Row[]): Promise<Map<Row, Refusal>> {
  const { rows: used } = await sql<{ device_id: string }>`
    select s.device_id from elastic_server s
     where s.device_id = any (${serverIds(rows)}) and s.customer_number = any (${rows.map((row) => row.customerNumber)})
       and (s.usage_arrived_at is not null
         or exists (select 1 from usage_transaction_running r
                     where r.customer_number = s.customer_number and r.server_id = s.device_id)
         or exists (select 1 from elastic_denial d where d.customer_number = s.customer_number and d.server_id = s.device_id))`.execute(
    tx,
  )
  const ids = new Set(used.map(({ device_id }) => device_id))
  const refused = rows.filter(({ serverId }) => ids.has(String(serverId)))
  return new Map(refused.map((row) => [row, refusal('IN_USE', 'Sessions or usage of the server are kept.')]))
}

async function deleteCredentials(tx: Transaction<DB>, rows: readonly Row[]): Promise<void> {
  const ids = serverIds(rows)
  const numbers = rows.map((row) => row.customerNumber)
  const isTheirs = sql`device_id = any (${ids}) and customer_number = any (${numbers})`
  await sql`delete from elastic_pin where ${isTheirs}`.execute(tx)
  await sql`delete from elastic_username where ${isTheirs}`.execute(tx)
  await sql`delete from elastic_ip_rule where ${isTheirs}`.execute(tx)
}
