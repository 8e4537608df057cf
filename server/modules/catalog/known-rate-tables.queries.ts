import { sql, type Transaction } from 'kysely'
import type { Row } from '#server/data/record-table.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'

/** Elastic units with a rate table that has no rates could never be used. */
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
