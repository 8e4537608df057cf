import type { Tables } from '#server/db/tables.ts'

export const webLicensesTables: Tables = {
  owns: [
    'web_user',
    'web_group',
    'web_group_member',
    'web_user_assignment',
    'web_group_assignment',
    'web_seat',
    'web_checkout',
    'web_denial',
    'web_license_use',
  ],
  reads: {
    account: 'Checkouts and heartbeats ask for the export status, a heartbeat in the statement that keeps it.',
    entitlement: 'The lists show entitlements with what is taken of them, in one statement.',
  },
}
