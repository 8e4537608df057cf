import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { EntitlementKind } from '#domain/entitlements/kind.ts'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'
import { beginsWith, containsText } from '#server/lists/like-pattern.ts'

export type FoundEntitlement = {
  customer_number: string
  activation_id: string
  entitlement_id: string
  product_name: string
  kind: EntitlementKind
  order_id: string
  po_number: string
}

const columns = sql`e.customer_number, e.activation_id, e.entitlement_id, e.product_name, e.kind, e.order_id, e.po_number`

/** Entitlements of one account by a part of their ids or orders; what ends last comes first. */
export async function searchEntitlements(
  db: Kysely<DB>,
  customerNumber: string,
  text: string,
  limit: number,
): Promise<FoundEntitlement[]> {
  const contains = (column: RawBuilder<string>) => containsText(column, text)
  const { rows } = await sql<FoundEntitlement>`
    select ${columns} from entitlement e
     where e.customer_number = ${customerNumber} and ${isListedEntitlement}
       and (${contains(sql`e.activation_id`)} or ${contains(sql`e.entitlement_id`)}
         or ${contains(sql`e.order_id`)} or ${contains(sql`e.po_number`)})
     order by e.ends_on desc, e.activation_id limit ${limit}`.execute(db)
  return rows
}

/** With the part number if the product was found by it. */
export type FoundProduct = { product_name: string; part_number: string | null; kind: EntitlementKind; count: number }

/** Products of one account by a part of their name or part number, with how many entitlements there are. */
export async function searchProducts(
  db: Kysely<DB>,
  customerNumber: string,
  text: string,
  limit: number,
): Promise<FoundProduct[]> {
  const isPartNumber = containsText(sql`e.part_number`, text)
  const { rows } = await sql<FoundProduct>`
    select e.product_name, min(e.part_number) filter (where ${isPartNumber}) as part_number, min(e.kind) as kind, count(*)::int as count from entitlement e
     where e.customer_number = ${customerNumber} and ${isListedEntitlement}
       and (${containsText(sql`e.product_name`, text)} or ${isPartNumber})
     group by e.product_name, e.kind in ('ELASTIC', 'FSA'), e.kind = 'FSA'
     order by e.product_name limit ${limit}`.execute(db)
  return rows
}

/** Entitlements of any account whose activation id, order, purchase order or entitlement id begins with the text. */
export async function findEntitlements(db: Kysely<DB>, text: string, limit: number): Promise<FoundEntitlement[]> {
  // Where an index leaves out empty values, `isThere` repeats the index condition.
  const by = (column: RawBuilder<string>, isThere = sql<SqlBool>`true`) => sql`
    (select ${columns} from entitlement e
      where ${isThere} and ${beginsWith(column, text)} and ${isListedEntitlement} order by ${column} limit ${limit})`
  // An id is found by its claim, because the entitlements themselves are in the order of their accounts.
  const { rows } = await sql<FoundEntitlement>`
    (select ${columns} from activation_owner o join entitlement e using (customer_number, activation_id)
      where ${beginsWith(sql`o.activation_id`, text)} and ${isListedEntitlement} order by o.activation_id limit ${limit})
    union ${by(sql`e.order_id collate "C"`, sql`e.order_id <> ''`)}
    union ${by(sql`e.po_number`, sql`e.po_number <> ''`)}
    union ${by(sql`e.entitlement_id`)}
    limit ${limit}`.execute(db)
  return rows
}
