import type { Generated, GeneratedAlways } from 'kysely'
import type { Outcome } from '#domain/audit/audit-line.ts'
import type { Day, Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type AuditPrincipal = 'session' | 'service key' | 'token' | 'operator'

export type AuditRows = {
  audit_log: {
    id: GeneratedAlways<string>
    at: Date
    email: string
    address: string
    request_id: string
    principal: AuditPrincipal | null
    action: string
    /** Empty for what concerns no account. */
    customer_number: Generated<string>
    target: string | null
    before: Json<unknown> | null
    after: Json<unknown> | null
    outcome: Outcome
    reason: string | null
    /** What the caller says that it is (User-Agent). */
    program: string | null
    /** The name and id of the token or service key that acted. */
    credential: string | null
    /** The act in words. */
    text: string
  }
  /** Rows of the log that wait for the sealer. */
  audit_pending: { customer_number: string; audit_id: string }
  /** The end of each chain. */
  audit_head: { customer_number: string; sequence: string; hash: Buffer }
  audit_seal: {
    customer_number: string
    sequence: string
    audit_id: string
    previous_hash: Buffer
    hash: Buffer
  }
  audit_checkpoint: {
    customer_number: string
    sequence: string
    day: Day
    made_at: Date
    hash: Buffer
    key_id: string
    public_key: Buffer
    signature: Buffer
  }
  /** After how many days entries are removed. At most one row, of the owner of the tables. */
  audit_retention: { is_only: Generated<boolean>; days: number }
}

declare module '#server/db/schema.ts' {
  interface DB extends AuditRows {}
}

export const auditTables: Tables<AuditRows> = {
  owns: ['audit_log', 'audit_pending', 'audit_head', 'audit_seal', 'audit_checkpoint', 'audit_retention'],
}
