import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { CheckoutRefusal } from '#domain/web-licenses/checkout.ts'
import type { WebLicenseKind } from '#domain/web-licenses/web-license.ts'
import type { Tables } from '#server/db/tables.ts'

export type WebLicensesRows = {
  web_user: {
    customer_number: string
    email: string
    name: Generated<string>
    added_at: Date
    added_by: string
  }
  web_group: {
    customer_number: string
    group_id: Generated<string>
    name: string
    name_key: string
    created_at: Date
    created_by: string
  }
  web_group_member: { customer_number: string; group_id: string; email: string }
  web_user_assignment: {
    customer_number: string
    activation_id: string
    email: string
    assigned_at: Date
    assigned_by: string
  }
  web_group_assignment: {
    customer_number: string
    activation_id: string
    group_id: string
    assigned_at: Date
    assigned_by: string
  }
  web_seat: { customer_number: string; activation_id: string; email: string; since: Date }
  web_checkout: {
    customer_number: string
    checkout_number: GeneratedAlways<string>
    checkout_id: string
    activation_id: string
    product: string
    kind: WebLicenseKind
    email: string
    host: string
    product_version: Generated<string>
    external_ip: string | null
    status: Generated<'Active' | 'Completed' | 'Timed out' | 'Revoked'>
    started_at: Date
    last_heartbeat_at: Date
    ends_at: ColumnType<Date | number, Date | 'infinity' | undefined, Date>
    hours: GeneratedAlways<string | null>
  }
  web_denial: {
    customer_number: string
    id: GeneratedAlways<string>
    denied_at: Date
    reason: CheckoutRefusal
    product: string
    email: string
    host: string
    product_version: Generated<string>
    external_ip: string | null
  }
  web_license_use: {
    customer_number: string
    activation_id: string
    seats: Generated<number>
    running: Generated<number>
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends WebLicensesRows {}
}

export const webLicensesTables: Tables<WebLicensesRows> = {
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
    scim_user: 'The list of users says who manages them.',
    scim_given: 'The list of members says who manages them.',
  },
}
