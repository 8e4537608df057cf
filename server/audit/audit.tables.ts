import type { Generated, GeneratedAlways } from 'kysely'
import type { Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type AuditRows = {
  audit_log: {
    id: GeneratedAlways<string>
    at: Date
    email: string
    address: string
    request_id: string
    principal: 'session' | 'service key' | 'operator' | 'token' | null
    action: string
    /** Empty for what concerns no account. */
    customer_number: Generated<string>
    target: string | null
    before: Json<unknown> | null
    after: Json<unknown> | null
    outcome: 'done' | 'refused'
    reason: string | null
  }
}

export const auditTables: Tables<AuditRows> = {
  owns: ['audit_log'],
}
