import { sql, type Transaction } from 'kysely'
import { productRecords } from '#contract/data/products.ts'
import { recordData } from '#server/data/record-data.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import { revokeByDeleting } from '#server/data/revoke-records.ts'
import type { Change, RecordRules } from '#server/data/save-records.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'
import { lockRemovals } from '#server/modules/catalog/known-products.queries.ts'

const rules: RecordRules = {
  kind: productRecords,
  table: {
    table: 'product',
    key: productRecords.key,
    fields: {
      partNumber: { column: 'part_number', type: 'text' },
      name: { column: 'name', type: 'text' },
      itemNumber: { column: 'item_number', type: 'text' },
      daemon: { column: 'daemon', type: 'text' },
      isNodeLocked: { column: 'is_node_locked', type: 'boolean' },
      featureNames: { column: 'feature_names', type: 'text[]' },
    },
  },
  // Names and item numbers can be swapped between products: batches are serialized, so that a free one stays free.
  async prepare(tx) {
    await sql`lock table product in share row exclusive mode`.execute(tx)
    return {}
  },
  lock: lockRemovals,
  async check(tx, changes) {
    const refusals = new Map<Change, Refusal>()
    const taken = await takenNames(
      tx,
      changes.map(({ after }) => after),
    )
    const names = new Set<unknown>()
    for (const change of changes) {
      const { name, itemNumber } = change.after
      const refused = taken.get(change.after) ?? (names.has(name) || names.has(itemNumber) ? NAME_TAKEN : undefined)
      if (refused) refusals.set(change, refused)
      else names.add(name).add(itemNumber)
    }
    return refusals
  },
  taken: async (_tx, rows) => new Map(rows.map((row) => [row, NAME_TAKEN])),
}

const NAME_TAKEN = refusal('NAME_TAKEN', 'Another product has this name or item number.')

/** Rows whose name or item number belongs to another product. */
async function takenNames(tx: Transaction<DB>, rows: readonly Row[]): Promise<Map<Row, Refusal>> {
  const { rows: taken } = await sql<{ part_number: string }>`
    select r."partNumber" as part_number
      from json_to_recordset(${JSON.stringify(rows)}::json) as r ("partNumber" text, name text, "itemNumber" text)
     where exists (select 1 from product p where p.part_number <> r."partNumber"
                      and (p.name = r.name or p.item_number = r."itemNumber"))`.execute(tx)
  const parts = new Set(taken.map(({ part_number }) => part_number))
  return new Map(rows.filter(({ partNumber }) => parts.has(String(partNumber))).map((row) => [row, NAME_TAKEN]))
}

export const productData = recordData(rules, (tx, ids, context) => revokeByDeleting(tx, ids, context, rules, inUse))

/** Products that are rated, priced or sold. */
async function inUse(tx: Transaction<DB>, rows: readonly Row[]): Promise<Map<Row, Refusal>> {
  const partNumbers = rows.map(({ partNumber }) => String(partNumber))
  const { rows: used } = await sql<{ part_number: string; use: string }>`
    select part_number, 'a rate table' as use from elastic_rate where part_number = any (${partNumbers})
    union select part_number, 'a price list' from fsa_price where part_number = any (${partNumbers})
    union select part_number, 'an entitlement' from entitlement where part_number = any (${partNumbers})
    order by 2`.execute(tx)
  const uses = Map.groupBy(used, ({ part_number }) => part_number)
  return new Map(
    rows.flatMap((row) => {
      const by = uses.get(String(row.partNumber))?.map(({ use }) => use)
      return by ? [[row, refusal('IN_USE', `The product is in ${by.join(', ')}.`)] as const] : []
    }),
  )
}
