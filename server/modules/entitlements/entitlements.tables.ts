import type { Tables } from '#server/db/tables.ts'

export const entitlementsTables: Tables = {
  owns: ['entitlement', 'activation_owner'],
  reads: {
    account: 'Over all accounts, each entitlement counts on the calendar of its account.',
    usage_total: 'An elastic entitlement is active as long as less is booked on it than it holds.',
    usage_day: 'What was drawn on an entitlement month by month.',
  },
}
