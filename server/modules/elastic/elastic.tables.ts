import type { Tables } from '#server/db/tables.ts'

export const elasticTables: Tables = {
  owns: [
    'elastic_server',
    'elastic_pin',
    'elastic_username',
    'elastic_ip_rule',
    'device_owner',
    'usage_transaction',
    'usage_day',
  ],
  reads: {
    entitlement: 'The elastic screen lists entitlements with what is booked on them, in one statement.',
    installation_secret: 'The start of a session checks everything about a server, its PIN included, in one statement.',
  },
}
