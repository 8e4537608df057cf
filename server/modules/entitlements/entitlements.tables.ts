import type { Tables } from '#server/db/tables.ts'

export const entitlementsTables: Tables = {
  owns: ['entitlement', 'activation_owner'],
  reads: {
    usage_total: 'An elastic entitlement is active as long as less is booked on it than it holds.',
    fsa_contract: 'An order that the vendor’s systems send draws on its spending account.',
    reserved_seats: 'The quantity cannot drop below the seats on hosts, nor below those that plans move.',
    web_license_use: 'The quantity cannot drop below the assigned seats of a web license.',
    usage_day: 'What was drawn on an entitlement month by month.',
  },
}
