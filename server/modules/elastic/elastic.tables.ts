import type { Tables } from '#server/db/tables.ts'

export const elasticTables: Tables = {
  owns: [
    'elastic_server',
    'elastic_pin',
    'elastic_username',
    'elastic_ip_rule',
    'device_owner',
    'usage_transaction',
    'usage_transaction_running',
    'usage_day',
    'usage_user_day',
    'usage_project_day',
    'usage_host_day',
    'usage_rebuild',
    'usage_receipt',
    'elastic_denial',
    'pin_failure',
    'pin_guessing',
    'pin_address',
    'unknown_pin_failure',
    'unknown_pin_guessing',
    'mailed_statement',
    'mailed_record',
    'statement_schedule',
  ],
  reads: {
    account:
      'The start of a session checks account, product and balance in one statement. Scheduled statements are listed with the zone and the export status of their account.',
    product: 'See account.',
    elastic_rate: 'See account.',
    entitlement: 'The elastic screen lists entitlements with what is booked on them, in one statement.',
    usage_total: 'Sums per entitlement, which triggers keep with every transaction.',
    installation_secret: 'The start of a session checks everything about a server, its PIN included, in one statement.',
  },
}
