import type { Tables } from '#server/db/tables.ts'

export const elasticTables: Tables = {
  owns: ['elastic_server', 'usage_transaction', 'usage_day', 'usage_export'],
  reads: { entitlement: 'The elastic screen lists entitlements with what is booked on them, in one statement.' },
}
