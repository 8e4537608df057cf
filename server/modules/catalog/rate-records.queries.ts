import { sql, type Transaction } from 'kysely'
import { rateRecords } from '#contract/data/rate-tables.ts'
import { fixDecimals } from '#server/data/fixed-values.ts'
import { recordData } from '#server/data/record-data.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import { revokeByDeleting } from '#server/data/revoke-records.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'
import { moreThanZero, refuseUnknownProducts } from '#server/modules/catalog/known-products.queries.ts'

export const rateData = recordData(
  {
    kind: rateRecords,
    table: {
      table: 'elastic_rate',
      key: rateRecords.key,
      fields: {
        rateTableVersion: { column: 'rate_table_version', type: 'text' },
        partNumber: { column: 'part_number', type: 'text' },
        unitsPerHour: { column: 'units_per_hour', type: 'numeric' },
      },
    },
    read: (row) => ({ row: fixDecimals(row, ['unitsPerHour'], 4) }),
    prepare: async (tx, rows) => ({ refusals: await refuseUnknownProducts(tx, rows) }),
    invalid: (row) => moreThanZero(row, 'unitsPerHour'),
  },
  (tx, ids, context, rules) => revokeByDeleting(tx, ids, context, rules, inUse),
)

/** Rates by which an elastic entitlement is charged. */
async function inUse(tx: Transaction<DB>, rows: readonly Row[]): Promise<Map<Row, Refusal>> {
  const versions = [...new Set(rows.map(({ rateTableVersion }) => String(rateTableVersion)))]
  const { rows: used } = await sql<{ version: string; activation_id: string }>`
    select rate_table_version as version, min(activation_id) as activation_id from entitlement
     where kind = 'ELASTIC' and state = 'Deployed' and rate_table_version = any (${versions}) group by 1`.execute(tx)
  const users = new Map(used.map(({ version, activation_id }) => [version, activation_id]))
  return new Map(
    rows.flatMap((row) => {
      const user = users.get(String(row.rateTableVersion))
      return user
        ? [[row, refusal('IN_USE', `Entitlement ${user} is charged by ${row.rateTableVersion}.`)] as const]
        : []
    }),
  )
}
