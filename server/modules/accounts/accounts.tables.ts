import type { ColumnType, Generated } from 'kysely'
import type { AccountGrant, ContactRole } from '#domain/access/roles.ts'
import type { OrgType } from '#domain/access/standing.ts'
import type { Tables } from '#server/db/tables.ts'

export type AccountsRows = {
  account: {
    customer_number: string
    name: string
    org_type: Generated<OrgType>
    export_control_status: Generated<string>
    is_access_disabled: Generated<boolean>
    support_email: Generated<string>
    time_zone: Generated<string>
    created_at: Generated<Date>
    changed_at: Generated<Date>
  }
  contact: {
    customer_number: string
    email: string
    role: ContactRole
    added_at: Generated<Date>
    added_by: ColumnType<string | null, string | null | undefined, string | null>
    changed_at: Generated<Date>
  }
  account_grant: {
    customer_number: string
    email: string
    kind: AccountGrant
    granted_by: string
    granted_at: Generated<Date>
    changed_at: Generated<Date>
  }
  recent_account: { customer_number: string; email: string; opened_at: Date }
}

declare module '#server/db/schema.ts' {
  interface DB extends AccountsRows {}
}

export const accountsTables: Tables<AccountsRows> = {
  owns: ['account', 'contact', 'account_grant', 'recent_account'],
  reads: {
    person: 'The name of a person comes with their roles on accounts, and their last sign-in with the contacts.',
    entitlement: 'What an account holds is part of the standing of a person on it.',
  },
}
