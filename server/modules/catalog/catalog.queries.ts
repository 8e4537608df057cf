import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** Products of the catalog, for a module that joins them to its own tables. */
export const catalogProducts: RawBuilder<unknown> = sql`(
  select part_number, daemon, feature_names, is_node_locked, license_changes from product)`

/** What one count of a product costs for a period of so many days; 365 stands for one year. */
export type FsaPrice = { part_number: string; name: string; currency: string; days: number; price: string }

/** The price lists in some currencies, by the names of the products. */
export async function listFsaPrices(db: Kysely<DB>, currencies: readonly string[]): Promise<FsaPrice[]> {
  if (currencies.length === 0) return []
  return db
    .selectFrom('fsa_price as f')
    .innerJoin('product as p', 'p.part_number', 'f.part_number')
    .select(['f.part_number', 'p.name', 'f.currency', 'f.days', 'f.price'])
    .where('f.currency', 'in', [...currencies])
    .orderBy('p.name')
    .orderBy('f.days')
    .execute()
}
