import type { Tables } from '#server/db/tables.ts'

export const activationsTables: Tables = {
  owns: [
    'host',
    'host_seats',
    'fulfillment',
    'shared_server_member',
    'license_file',
    'signing_key',
    'host_plan',
    'host_plan_step',
    'reserved_seats',
    'busy_host',
  ],
  reads: { entitlement: 'Entries of an imported ledger are judged by the quantities of their entitlements.' },
}
