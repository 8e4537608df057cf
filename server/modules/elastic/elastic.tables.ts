import type { Tables } from '#server/db/tables.ts'

export const elasticTables: Tables = {
  owns: ['elastic_server', 'device_owner', 'usage_transaction', 'usage_day'],
  reads: { entitlement: 'The elastic screen lists entitlements with what is booked on them, in one statement.' },
}
