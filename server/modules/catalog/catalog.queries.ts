import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Row } from '#server/data/record-table.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'

/** Products of the catalog, for a module that joins them to its own tables. */
export const catalogProducts: RawBuilder<unknown> = sql`(
  select part_number, daemon, feature_names, is_node_locked, license_changes from product)`

/** The price of one count of a product for a number of days; 365 stands for one year. */
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

/** What an hour of a product costs in elastic units, by part number, in one rate table. */
export async function listElasticRates(
  db: Kysely<DB>,
  rateTable: string,
  partNumbers: readonly string[],
): Promise<Map<string, string>> {
  if (partNumbers.length === 0) return new Map()
  const rows = await db
    .selectFrom('elastic_rate')
    .select(['part_number', 'units_per_hour'])
    .where('rate_table_version', '=', rateTable)
    .where('part_number', 'in', [...partNumbers])
    .execute()
  return new Map(rows.map((row) => [row.part_number, row.units_per_hour]))
}

/** Elastic units with an unknown rate table could never be used. */
export async function refuseUnknownRateTables(tx: Transaction<DB>, rows: readonly Row[]): Promise<Map<Row, Refusal>> {
  const rated = rows.filter(({ licenseModel, rateTableVersion }) => licenseModel === 'Elastic-AEU' && rateTableVersion)
  if (rated.length === 0) return new Map()
  const versions = [...new Set(rated.map(({ rateTableVersion }) => String(rateTableVersion)))]
  const { rows: known } = await sql<{ version: string }>`
    select v.version from unnest(${versions}::text[]) as v (version)
     where exists (select 1 from elastic_rate r where r.rate_table_version = v.version)`.execute(tx)
  const versionsWithRates = new Set(known.map(({ version }) => version))
  return new Map(
    rated
      .filter(({ rateTableVersion }) => !versionsWithRates.has(String(rateTableVersion)))
      .map((row) => [row, refusal('UNKNOWN_RATE_TABLE', `There is no rate table ${row.rateTableVersion}.`)]),
  )
}
